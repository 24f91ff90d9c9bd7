// The steps of cdss.hpp.
#include "paper/cdss.hpp"

#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::paper {

template <class L>
Cdss<L>::Cdss(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop)
    : problem_(problem),
      stop_(stop),
      stopping_(rules, stop),
      trace_(stop),
      active_(all_active(problem)),
      place_(static_cast<std::size_t>(problem.features.cols()), -1),
      primal_(problem) {
  for (std::size_t c = 0; c < active_.members.size(); ++c) place_[active_.members[c].feature] = static_cast<Index>(c);
}

template <class L>
Outcome Cdss<L>::run() {
  primal_.start(problem_.offset);
  do descend();
  while (!stopping_.limit() && exchange());
  const auto point = problem::dual_point(problem_, problem::predictor(problem_, record_.beta()));  // (3.7)
  record_.offer_dual(problem::dual_value(problem_, point), point.alpha(), true);
  Outcome out = record_.conclude(problem_, stopping_);
  out.sweeps = stopping_.iterations() + sweeps_ + 2;
  return out;
}

template <class L>
void Cdss<L>::descend() {
  double P = std::numeric_limits<double>::infinity();
  std::map<std::vector<Index>, int> seen;
  while (!stopping_.limit()) {
    stopping_.begin_iteration();
    primal_.hard_steps(active_);  // (5.1)
    const auto beta = active_.coefficients(primal_.intercept());
    const double next = primal_.objective(beta);
    record_.offer_primal(next, beta);
    tell(next, beta.support.size());
    const bool settled = !(next < P - stopping_.tolerance());
    if (settled || ++seen[beta.support] == repeats) {
      spacer_step();
      seen.erase(beta.support);
    }
    if (settled) return;
    P = next;
  }
}

template <class L>
void Cdss<L>::spacer_step() {
  const auto beta = active_.coefficients(primal_.intercept());
  at_ = solve::best_on_support(problem_, beta.support, stop_, &beta);
  take();
}

template <class L>
bool Cdss<L>::exchange() {
  const auto alpha = problem::gradient(problem_, at_.u);
  std::vector<double> tau(static_cast<std::size_t>(problem_.features.cols()));
  screening::LazyTau products(problem_.features, problem_.weights);
  (void)products.sweep(
      alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), [](Index, double, double) { return true; },
      features::StoreAll{tau});
  const auto found = solve::ExchangeSearch(problem_, at_, products, stop_).run(std::numeric_limits<Index>::max());
  sweeps_ += products.sweeps();
  if (!found.pays || !solve::try_exchange(problem_, found.out, found.in, at_, stop_)) return false;
  take();
  return true;
}

template <class L>
void Cdss<L>::take() {
  record_.offer_primal(at_.objective, at_.beta);
  for (Member& m : active_.members) m.beta = 0;
  for (std::size_t c = 0; c < at_.beta.support.size(); ++c)
    active_.members[place_[at_.beta.support[c]]].beta = at_.beta.values[c];
  auto without_intercept = at_.u;
  for (double& ui : without_intercept) ui -= at_.beta.intercept;
  primal_.start(without_intercept);
}

template <class L>
void Cdss<L>::tell(double P, std::size_t nonzeros) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  // a bound would cost as much as the cycle
  trace_.record(
      stopping_.iterations(),
      {.objective = P, .lower_bound = unknown, .nonzeros = static_cast<Index>(nonzeros), .active = active_.size()});
}

#define INSTANTIATE(L) template class Cdss<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
