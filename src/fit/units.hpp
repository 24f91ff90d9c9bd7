// Between the solver's units, where columns are centred and scaled, and the user's.
#pragma once

#include <span>

#include "core/stop.hpp"
#include "ellzero/error.hpp"
#include "ellzero/result.hpp"
#include "fit/question.hpp"
#include "fit/results.hpp"
#include "fit/stated.hpp"
#include "problem/problem.hpp"

namespace ellzero::front {

template <class L>
problem::Coefficients to_solver_units(const problem::Problem<L>& problem, const Settings& settings,
                                      std::span<const double> coefficients);

/// The solution in the user's units, and the bounds of its objective there. An always-in feature is in the model
/// whatever its coefficient is, unless its column is constant.
template <class L>
void report(const problem::Problem<L>& problem, const Settings& settings, const problem::Coefficients& beta,
            double lower_bound, Result& result);

/// Mixes a share of the refit into the intercept and coefficients of a model; the solution is kept beside them. (12.12)
template <class L>
void relax(const problem::Problem<L>& problem, const Settings& settings, double share, core::Stop& stop,
           Result& result);

}  // namespace ellzero::front
