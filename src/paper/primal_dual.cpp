// The steps of primal_dual.hpp.
#include "paper/primal_dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::paper {

template <class L>
Outcome PrimalDual<L>::run() {
  start();
  while (true) {
    solve_active();
    const double gap = whole_gap();
    const bool may_add = can_add(gap);
    const bool settled = stopping_.settled(gap, record_.gap());
    if (stopping_.closed(gap) || (settled && !may_add) || stopping_.limit()) break;
    screen();
    if (may_add) add_features();
  }
  Outcome out = record_.conclude(problem_, stopping_);
  out.sweeps = static_cast<Index>(std::ceil(products_ / static_cast<double>(problem_.features.cols()))) + 1;
  return out;
}

template <class L>
void PrimalDual<L>::start() {
  std::vector<Index> always;
  for (Index j = 0; j < problem_.features.cols(); ++j) {
    if (problem_.features.norm(j) == 0) continue;
    (problem_.penalty.always_in(j) || !rules_.adding ? always : rest_).push_back(j);
  }
  active_.add(always);
  (void)sweep_rest();
  add_features();
  dual_.apply_link(active_);
}

template <class L>
void PrimalDual<L>::solve_active() {
  double before;
  sub_gap_ = std::numeric_limits<double>::infinity();
  do {
    before = sub_gap_;
    stopping_.begin_iteration();
    dual_.ascend(stopping_.step(dual_.mu(), dual_.first_step()));  // (3.6)
    dual_.apply_link(active_);                                     // (3.5)
    descend_primal();
    bound_ = dual_.bound(active_);
    sub_gap_ = objective_ - bound_;
    products_ += 2 * static_cast<double>(active_.size());
    tell(rest_.empty() ? valid_bound() : unknown);
  } while (sub_gap_ < before - stopping_.tolerance() && !stopping_.limit());
}

template <class L>
void PrimalDual<L>::descend_primal() {
  for (Member& m : active_.members) m.beta = m.link;
  primal_.start(dual_.predictor());
  primal_.hard_steps(active_);
  auto beta = active_.coefficients(primal_.intercept());
  nonzeros_ = static_cast<Index>(beta.support.size());
  objective_ = primal_.objective(beta);
  record_.offer_primal(objective_, std::move(beta));
}

template <class L>
double PrimalDual<L>::whole_gap() {
  if (!rest_.empty()) {
    bound_ = dual_.bound(active_, sweep_rest());
    tell(valid_bound());
  }
  record_.offer_dual(bound_, dual_.alpha(), is_valid());
  return objective_ - bound_;
}

template <class L>
core::CompensatedSum PrimalDual<L>::sweep_rest() {
  products_ += static_cast<double>(rest_.size());
  const problem::PsiSum start{&problem_.features, &problem_.penalty, dual_.point().norm(), tau_};
  return problem_.features.sweep(rest_, dual_.alpha(), 0, start).sum;
}

template <class L>
bool PrimalDual<L>::below_threshold(Index j, double tau, double r) const {
  const auto& coordinate = problem_.penalty[j];
  const double tau0 = std::min(coordinate.threshold(-1), coordinate.threshold(+1));
  return std::abs(tau) + problem_.features.norm(j) * r < tau0;
}

template <class L>
bool PrimalDual<L>::can_add(double gap) const {
  const double r = radius(gap);
  return std::any_of(rest_.begin(), rest_.end(), [&](Index j) { return !below_threshold(j, tau_[j], r); });
}

template <class L>
void PrimalDual<L>::add_features() {
  const auto h = static_cast<std::size_t>(
      std::max(1.0, std::ceil(rules_.add_factor * std::log(static_cast<double>(problem_.features.cols())))));
  const auto count = static_cast<std::ptrdiff_t>(std::min(h, rest_.size()));
  const auto larger = [&](Index i, Index j) {
    return std::abs(tau_[i]) > std::abs(tau_[j]) || (std::abs(tau_[i]) == std::abs(tau_[j]) && i < j);
  };
  std::partial_sort(rest_.begin(), rest_.begin() + count, rest_.end(), larger);
  active_.add(std::span(rest_).first(static_cast<std::size_t>(count)));
  rest_.erase(rest_.begin(), rest_.begin() + count);
}

template <class L>
void PrimalDual<L>::screen() {
  if (rules_.screening == Screening::None) return;
  if (rules_.screening == Screening::Safe && !(record_.objective() - bound_ < problem_.penalty.lambdas().lambda0))
    return;
  // A gathered column's product rounds a little more often than the sweep's, for which verdict() allows.
  const screening::Evidence evidence{2 * dual_.point().norm(), bound_, record_.objective()};
  const double r = radius(sub_gap_);
  const auto is_out = [&](Index j, double tau) {
    if (problem_.penalty.always_in(j)) return false;
    if (rules_.screening == Screening::Heuristic) return below_threshold(j, tau, r);
    return screening::verdict(problem_, j, tau, evidence) == Verdict::Never;  // (6.1)
  };
  screened_ += static_cast<Index>(std::erase_if(rest_, [&](Index j) { return is_out(j, tau_[j]); }));
  screened_ += static_cast<Index>(std::erase_if(active_.members, [&](Member& m) { return is_out(m.feature, m.tau); }));
  dual_.set_predictor(active_);
}

#define INSTANTIATE(L) template class PrimalDual<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
