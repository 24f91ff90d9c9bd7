// The front door of evaluate(): coefficients into the solver's units, one objective, one dual point, one bound.
#include "ellzero/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "fit/question.hpp"
#include "fit/stated.hpp"
#include "fit/units.hpp"
#include "problem/dual.hpp"

namespace ellzero {
Evaluation evaluate(const Dataset& data, const Settings& settings, std::span<const double> coefficients) {
  return front::with_problem(data, settings, [&](const auto& problem) {
    auto beta = front::to_solver_units(problem, settings, coefficients);
    auto u = problem::predictor(problem, beta);
    if (problem.intercept) {
      beta.intercept = problem::best_intercept(problem, u);
      for (double& ui : u) ui += beta.intercept;
    }
    std::vector<double> slopes;
    for (const Index j : beta.support) slopes.push_back(coefficients[j]);
    const auto [intercept, P] = front::state(problem, beta.support, slopes, beta.intercept);
    // P itself is rounded: a closed gap must not come out negative.
    const double D = std::min(P, problem::lower_bound(problem, problem::dual_point(problem, u)));
    if (!std::isfinite(P))
      throw Error(ErrorCode::Numerical, fmt::format("the objective is {}; rescale X, y or the coefficients", P));
    return Evaluation{P, D, P - D, (P - D) / std::max(std::abs(P), std::numeric_limits<double>::min()), intercept};
  });
}

}  // namespace ellzero
