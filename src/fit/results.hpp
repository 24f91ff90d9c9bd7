// What the front doors share: settings in the engine's terms, and the parts of a Result that every computation fills.
#pragma once

#include <optional>
#include <span>

#include "ellzero/error.hpp"
#include "ellzero/result.hpp"
#include "exact/tree/search.hpp"
#include "fit/question.hpp"
#include "solve/local_search.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::front {

solve::SearchSettings chosen_search(const Settings& settings);

exact::tree::SearchLimits chosen_limits(const Settings& settings);

void set_bounds(double objective, double lower_bound, Result& result);

/// Without any penalty on their size, and without bounds, coefficients that separate two classes could grow for ever.
template <class L>
void note_separation(const problem::Problem<L>& problem, std::span<const double> u, Result& result);

/// What was computed, and what the user should know about it; the coefficients are there.
template <class L>
void describe(const problem::Problem<L>& problem, const Settings& settings, Result& result);

/// What of a gap nothing can be done about, relative to the numbers that it is a difference of.
inline constexpr double rounding_floor = solve::RelaxedSettings{}.tolerance;

/// Where columns are far from 0 for their spread, no slopes and intercept in double may be as good as the solution.
void note_rounding(double exact, const Settings& settings, Result& result);

/// The rest of a result whose solution, bounds and status are there: `limit` is what ended it early; `exhausted`: a
/// proof has no open node left.
template <class L>
void finish(const problem::Problem<L>& problem, const Settings& settings, bool exhausted, std::optional<Status> limit,
            double seconds, Result& result);

}  // namespace ellzero::front
