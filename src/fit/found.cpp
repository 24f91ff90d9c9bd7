// From the engine's outcome to a Found, and from there to a Result.
#include "fit/found.hpp"

#include <algorithm>
#include <utility>

#include "exact/tree/close_gap.hpp"
#include "fit/question.hpp"
#include "fit/results.hpp"
#include "fit/units.hpp"
#include "loss/all.hpp"
#include "screening/verdicts.hpp"
#include "solve/ties.hpp"

namespace ellzero::front {

template <class L>
Found<L> found_at_price(const problem::Problem<L>& problem, solve::EngineOutcome&& outcome) {
  Found<L> found{.plain = problem,
                 .priced = problem,
                 .k = {},
                 .best = std::move(outcome.best),
                 .relaxed = std::move(outcome.bound)};
  found.lower_bound = found.relaxed.lower_bound;
  found.sweeps = found.relaxed.sweeps;
  found.iterations = found.relaxed.rounds + outcome.searches;
  found.status = outcome.swap_optimal         ? Status::SwapOptimal
                 : outcome.coordinate_optimal ? Status::CoordinateOptimal
                                              : Status::IterationLimit;
  return found;
}

template <class L>
Found<L> found_within_budget(const problem::Problem<L>& problem, Index k, select::BudgetOutcome outcome) {
  return {.plain = problem,
          .priced = select::at_price(problem, outcome.lambda0),
          .k = k,
          .best = std::move(outcome.best),
          .relaxed = std::move(outcome.relaxed),
          .lower_bound = outcome.lower_bound,
          .sweeps = outcome.sweeps,
          .iterations = outcome.searches};
}

template <class L>
Found<L> find(const problem::Problem<L>& problem, const Settings& settings, core::Stop& stop) {
  const auto search = chosen_search(settings);
  if (!settings.k) return found_at_price(problem, solve::Engine(problem, search, stop).run());
  return found_within_budget(problem, *settings.k, select::Budget(problem, *settings.k, search, stop).run());
}

template <class L>
exact::tree::SearchLimits limits_of(const Found<L>& found, const Settings& settings) {
  auto limits = chosen_limits(settings);
  if (found.k) limits.cardinality = exact::tree::Cardinality{*found.k, found.lambda0()};
  return limits;
}

template <class L>
std::vector<Verdict> verdicts_of(const Found<L>& found, double objective) {
  const auto& relaxed = found.relaxed;
  std::vector<Verdict> verdicts(static_cast<std::size_t>(found.plain.features.cols()), Verdict::Undecided);
  if (relaxed.tau.empty()) return verdicts;
  verdicts =
      screening::verdicts(found.priced, relaxed.tau, relaxed.alpha_norm, relaxed.dual_value, objective + found.paid());
  for (const Index j : relaxed.stale)
    if (found.plain.features.norm(j) > 0) verdicts[j] = Verdict::Undecided;
  return verdicts;
}

namespace {

/// All of a result but how it ended.
template <class L>
Result model_of(Found<L>& found, const Settings& settings, core::Stop& stop) {
  auto& [plain, priced, k, best, relaxed, lower_bound, status, sweeps, iterations] = found;
  // No feature is ruled out while the gap is a whole lambda0 (6.1): then tau need not be known everywhere.
  const double gap = best.objective + found.paid() - relaxed.lower_bound;
  if (!stop.now() && (relaxed.tau.empty() || gap < found.lambda0())) {
    solve::complete(priced, relaxed);
    if (!k) sweeps = relaxed.sweeps;
  }
  if (!relaxed.tau.empty()) solve::prefer_lowest_index(plain, relaxed.tau, best);
  Result result;
  report(plain, settings, best.beta, lower_bound, result);
  note_rounding(best.objective, settings, result);
  result.verdicts = verdicts_of(found, result.objective);
  note_separation(plain, best.u, result);
  result.k = k;
  if (!k) result.lambda0 = found.lambda0();
  result.sweeps = sweeps;
  result.iterations = iterations;
  result.status = status;
  return result;
}

}  // namespace

template <class L>
Result to_result(Found<L>& found, const Settings& settings, core::Stop& stop, const Ending* ending) {
  Result result = model_of(found, settings, stop);
  const Ending here = ending != nullptr ? *ending : Ending{stop.reason(), stop.seconds()};
  finish(found.plain, settings, false, here.limit, here.seconds, result);
  relax(found.plain, settings, settings.relax.value_or(0), stop, result);
  return result;
}

template <class L>
Result to_proved_result(Found<L>& found, const Settings& settings, ProofSink* sink, core::Stop& stop) {
  solve::complete(found.priced, found.relaxed);
  if (!found.k) found.sweeps = found.relaxed.sweeps;
  const auto proof = exact::tree::close_gap(found.priced, found.plain, found.relaxed, found.best,
                                            limits_of(found, settings), chosen_threads(settings), sink, stop);
  // Bounds that a budget has from its neighbours are not in its record.
  found.lower_bound = found.k && sink != nullptr ? proof.lower_bound : std::max(proof.lower_bound, found.lower_bound);
  Result result = model_of(found, settings, stop);
  if (proof.limit) result.status = *proof.limit;
  result.nodes = proof.nodes;
  finish(found.plain, settings, !proof.limit && !stop.reason(), stop.reason(), stop.seconds(), result);
  relax(found.plain, settings, settings.relax.value_or(0), stop, result);
  return result;
}

#define INSTANTIATE(L)                                                                             \
  template Found<L> found_at_price(const problem::Problem<L>&, solve::EngineOutcome&&);            \
  template Found<L> found_within_budget(const problem::Problem<L>&, Index, select::BudgetOutcome); \
  template Found<L> find(const problem::Problem<L>&, const Settings&, core::Stop&);                \
  template exact::tree::SearchLimits limits_of(const Found<L>&, const Settings&);                  \
  template std::vector<Verdict> verdicts_of(const Found<L>&, double);                              \
  template Result to_result(Found<L>&, const Settings&, core::Stop&, const Ending*);               \
  template Result to_proved_result(Found<L>&, const Settings&, ProofSink*, core::Stop&);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
