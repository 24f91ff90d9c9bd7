// The rounds of relaxed.hpp.
#include "solve/relaxed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::solve {

void forget_tau(RelaxedOutcome& outcome) {
  outcome.tau = {};
  outcome.stale = {};
}

template <class L>
void complete(const problem::Problem<L>& problem, RelaxedOutcome& outcome) {
  if (outcome.tau.empty()) {
    outcome.tau.resize(static_cast<std::size_t>(problem.features.cols()));
    outcome.stale.resize(outcome.tau.size());
    std::iota(outcome.stale.begin(), outcome.stale.end(), Index{0});
  }
  (void)problem.features.sweep(outcome.stale, outcome.alpha, 0, features::StoreAll{outcome.tau});
  if (!outcome.stale.empty()) ++outcome.sweeps;
  outcome.stale.clear();
}

template <class L>
void RelaxedSolver<L>::start_from(const problem::Coefficients& beta) {
  add(beta.support);
  for (Index c = 0; c < inner_.cols(); ++c) inner_.set_beta(c, beta.values[c]);
  inner_.set_intercept(beta.intercept);
}

template <class L>
RelaxedOutcome RelaxedSolver<L>::solve(const RelaxedSettings& settings, core::Stop& stop) {
  RelaxedOutcome best;
  best.dual_value = -std::numeric_limits<double>::infinity();
  best.lower_bound = problem::least_bound(problem_);
  inner_.descend({}, 1, stop);  // solves for the intercept
  double last_gap = std::numeric_limits<double>::infinity();
  int stalled = 0;
  bool at_the_end = false;
  for (int round = 0; round < settings.max_rounds; ++round) {
    const double upper = inner_.objective() + constant_outside();
    const double gap = sweep(upper, at_the_end, best), enough = settings.tolerance * std::abs(upper);
    best.rounds = round + 1;
    if (best.gap <= enough && settings.to_the_end && !at_the_end) {
      at_the_end = true;
      inner_.descend({1e-15 * std::abs(upper), 0}, 200, stop);
      continue;
    }
    if (best.gap <= enough || best.lower_bound >= settings.cutoff || stop.now()) break;
    if (upper < settings.cutoff && std::isfinite(settings.cutoff) && gap <= 0.02 * (settings.cutoff - upper)) break;
    // A closed set whose gap no longer falls has reached the floor of rounding.
    const bool grown = add_violators();
    stalled = grown || gap < 0.5 * last_gap ? 0 : stalled + 1;
    if (stalled == most_stalled) break;
    last_gap = gap;
    // While the set grows a rough solution does; once it is closed the next one is to be the last.
    const double rough = 0.03 * std::pow(0.01, stalled) * gap;
    inner_.descend({grown ? rough : std::min(rough, 0.1 * enough), 1e-24 * std::abs(upper)}, 200, stop);
  }
  if (settings.every_tau) complete(problem_, best);
  return best;
}

template <class L>
double RelaxedSolver<L>::constant_outside() const {
  double inside = 0;
  for (const Index j : columns_) inside += problem_.penalty[j].value(0);
  return problem_.penalty.at_zero() - inside;
}

template <class L>
double RelaxedSolver<L>::sweep(double upper, bool last, RelaxedOutcome& best) {
  const auto point = problem::dual_point(problem_, inner_.predictor());
  const double D = screening::dual_value(problem_, point, tau_);
  scale_ = point.scale();
  best.sweeps = tau_.sweeps();
  const double gap = std::max(0.0, upper - D);
  if (D > best.dual_value - (last ? 1e-11 * std::abs(D) : 0) || best.tau.empty()) {
    best.at_the_end = last;
    best.dual_value = D;
    best.lower_bound = std::max(best.lower_bound, D);
    best.tau.assign(tau_.tau().begin(), tau_.tau().end());
    best.stale = tau_.left_out();
    best.alpha.assign(point.alpha().begin(), point.alpha().end());
    best.alpha_norm = point.norm();
    best.beta.intercept = inner_.intercept();
    best.beta.support.clear();
    best.beta.values.clear();
    for (Index c = 0; c < inner_.cols(); ++c)
      if (inner_.beta(c) != 0) {
        best.beta.support.push_back(columns_[c]);
        best.beta.values.push_back(inner_.beta(c));
      }
  }
  best.gap = std::max(0.0, upper - best.lower_bound);
  return gap;
}

template <class L>
bool RelaxedSolver<L>::add_violators() {
  const auto tau = tau_.tau();
  std::vector<std::pair<double, Index>> violators;
  for (Index j = 0; j < problem_.features.cols(); ++j) {
    const double excess = std::abs(tau[j]) - scale_ * problem_.penalty[j].threshold(-tau[j]);  // (4.2)
    if (in_set_[j] == 0 && excess > 0 && problem_.features.norm(j) > 0) violators.emplace_back(-excess, j);
  }
  const Index nonzero = std::count_if(columns_.begin(), columns_.end(),
                                      [&, c = Index{0}](Index) mutable { return inner_.beta(c++) != 0; });
  const auto p = static_cast<double>(problem_.features.cols());
  const auto wanted = static_cast<std::size_t>(std::max(static_cast<Index>(2 * std::sqrt(p)), nonzero));
  if (violators.size() > wanted) {
    std::nth_element(violators.begin(), violators.begin() + static_cast<std::ptrdiff_t>(wanted), violators.end());
    violators.resize(wanted);
  }
  std::vector<Index> added;
  added.reserve(violators.size());
  for (const auto& violator : violators) added.push_back(violator.second);
  std::sort(added.begin(), added.end());
  add(added);
  return !added.empty();
}

template <class L>
void RelaxedSolver<L>::add(std::span<const Index> columns) {
  std::vector<const Coordinate*> coordinates;
  for (const Index j : columns) {
    coordinates.push_back(&problem_.penalty[j]);
    in_set_[j] = 1;
  }
  columns_.insert(columns_.end(), columns.begin(), columns.end());
  inner_.append(problem_.features.gather(columns), coordinates);
}

#define INSTANTIATE(L)                                                                 \
  template void complete(const problem::Problem<L>& problem, RelaxedOutcome& outcome); \
  template class RelaxedSolver<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
