// From what was found at one price, or within one budget, to the model that a user gets: fit(), prove() and path().
#pragma once

#include "core/stop.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"
#include "fit/results.hpp"
#include "fit/units.hpp"
#include "screening/verdicts.hpp"
#include "select/budget.hpp"
#include "solve/engine.hpp"
#include "solve/ties.hpp"

namespace ellzero::front {

/// `problem` has its price; `proved` is a bound from elsewhere, if there is one. Verdicts that would take another sweep
/// are left open when it is time to stop.
template <class L>
void set_priced(const problem::Problem<L>& problem, const Settings& settings, solve::EngineOutcome& outcome,
                double proved, core::Stop& stop, Result& result);

/// `problem` has no price, `priced` the one that proves most.
template <class L>
void set_budgeted(const problem::Problem<L>& problem, const problem::Problem<L>& priced, Index k,
                  const Settings& settings, select::BudgetOutcome& outcome, double proved, Result& result);

}  // namespace ellzero::front
