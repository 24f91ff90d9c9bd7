// What was found, as the model that a user gets.
#include "fit/models.hpp"

#include <algorithm>

#include "loss/all.hpp"

namespace ellzero::front {

template <class L>
void set_priced(const problem::Problem<L>& problem, const Settings& settings, solve::EngineOutcome& outcome,
                double proved, core::Stop& stop, Result& result) {
  auto& [best, bound, coordinate_optimal, swap_optimal, searches] = outcome;
  const double lambda0 = problem.penalty.lambdas().lambda0;
  // No feature is ruled out while the gap is a whole lambda0 (6.1): then tau need not be known everywhere.
  if (!stop.now() && (bound.tau.empty() || best.objective - bound.lower_bound < lambda0))
    solve::complete(problem, bound);
  if (!bound.tau.empty()) solve::prefer_lowest_index(problem, bound.tau, best);
  report(problem, settings, best.beta, std::max(proved, bound.lower_bound), result);
  note_rounding(best.objective, settings, result);
  result.verdicts.assign(static_cast<std::size_t>(problem.features.cols()), Verdict::Undecided);
  if (!bound.tau.empty())
    result.verdicts = screening::verdicts(problem, bound.tau, bound.alpha_norm, bound.dual_value, result.objective);
  for (const Index j : bound.stale)
    if (problem.features.norm(j) > 0) result.verdicts[j] = Verdict::Undecided;
  note_separation(problem, best.u, result);
  result.lambda0 = lambda0;
  result.sweeps = bound.sweeps;
  result.iterations = bound.rounds + searches;
  result.status = swap_optimal         ? Status::SwapOptimal
                  : coordinate_optimal ? Status::CoordinateOptimal
                                       : Status::IterationLimit;
}

template <class L>
void set_budgeted(const problem::Problem<L>& problem, const problem::Problem<L>& priced, Index k,
                  const Settings& settings, select::BudgetOutcome& outcome, double proved, Result& result) {
  const auto& relaxed = outcome.relaxed;
  solve::prefer_lowest_index(problem, relaxed.tau, outcome.best);
  report(problem, settings, outcome.best.beta, std::max(proved, outcome.lower_bound), result);
  note_rounding(outcome.best.objective, settings, result);
  // At any price, P + lambda0 (|b|_0 - k) is no more than P within the budget: the penalised rules apply.
  result.verdicts = screening::verdicts(priced, relaxed.tau, relaxed.alpha_norm, relaxed.dual_value,
                                        result.objective + outcome.lambda0 * static_cast<double>(k));
  note_separation(problem, outcome.best.u, result);
  result.k = k;
  result.sweeps = outcome.sweeps;
  result.iterations = outcome.searches;
  result.status = Status::CoordinateOptimal;
}

#define INSTANTIATE(L)                                                                                       \
  template void set_priced(const problem::Problem<L>& problem, const Settings& settings,                     \
                           solve::EngineOutcome& outcome, double proved, core::Stop& stop, Result& result);  \
  template void set_budgeted(const problem::Problem<L>& problem, const problem::Problem<L>& priced, Index k, \
                             const Settings& settings, select::BudgetOutcome& outcome, double proved, Result& result);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
