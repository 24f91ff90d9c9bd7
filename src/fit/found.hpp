// What was found for one price or one budget, what a proof adds to it, and the model that a user gets of it.
#pragma once

#include <optional>

#include "core/stop.hpp"
#include "ellzero/proof.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"
#include "exact/tree/search.hpp"
#include "problem/problem.hpp"
#include "select/budget.hpp"
#include "solve/engine.hpp"

namespace ellzero::front {

/// A solution, and the relaxation that says how good it is: where a proof or a pool begins.
template <class L>
struct Found {
  problem::Problem<L> plain;   ///< whose objective counts
  problem::Problem<L> priced;  ///< that of the relaxation: `plain`, or with a budget the price that proves most
  std::optional<Index> k;      ///< the budget
  solve::Incumbent best;
  solve::RelaxedOutcome relaxed;
  double lower_bound = 0;  ///< of the plain objective
  Status status = Status::CoordinateOptimal;
  Index sweeps = 0;
  Index iterations = 0;

  [[nodiscard]] double lambda0() const { return priced.penalty.lambdas().lambda0; }
  /// At any price, P + lambda0 (|b|_0 - k) is no more than P within the budget: what the relaxation counts besides P.
  [[nodiscard]] double paid() const { return k ? lambda0() * static_cast<double>(*k) : 0; }
};

template <class L>
Found<L> found_at_price(const problem::Problem<L>& problem, solve::EngineOutcome&& outcome);

/// `problem` has no price.
template <class L>
Found<L> found_within_budget(const problem::Problem<L>& problem, Index k, select::BudgetOutcome outcome);

/// The answer to settings.lambda0, the price of the problem, or to settings.k.
template <class L>
Found<L> find(const problem::Problem<L>& problem, const Settings& settings, core::Stop& stop);

/// The limits of a search that begins here.
template <class L>
exact::tree::SearchLimits limits_of(const Found<L>& found, const Settings& settings);

/// Verdicts that hold where `objective` is that of a solution.
template <class L>
std::vector<Verdict> verdicts_of(const Found<L>& found, double objective);

/// What ended a computation early, and how long it took; by default what its `stop` says.
struct Ending {
  std::optional<Status> limit = {};
  double seconds = 0;
};

/// The model that is reported. Verdicts that would take another sweep are left open when it is time to stop.
template <class L>
Result to_result(Found<L>& found, const Settings& settings, core::Stop& stop, const Ending* ending = nullptr);

/// The same after branch and bound, with its record for a sink.
template <class L>
Result to_proved_result(Found<L>& found, const Settings& settings, ProofSink* sink, core::Stop& stop);

}  // namespace ellzero::front
