// The front door of evaluate(): coefficients into the solver's units, one objective, one dual point, one bound.
#include "ellzero/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "fit/dispatch.hpp"
#include "problem/dual.hpp"

namespace ellzero {
namespace {

template <class P>
problem::Coefficients to_solver_units(const P& problem, const Settings& settings,
                                      std::span<const double> coefficients) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Index p = problem.features.cols();
  if (coefficients.size() != static_cast<std::size_t>(p))
    throw Error(ErrorCode::Data, fmt::format("coefficients: length is {}; expected {}, the number of columns of X",
                                             coefficients.size(), p));
  problem::Coefficients beta;
  for (Index j = 0; j < p; ++j) {
    const double b = coefficients[j];
    if (b == 0) continue;
    const double scaled = b / problem.features.scale(j);  // infinite for a constant column
    if (!std::isfinite(scaled) || b < fit::bound_of(settings.lower, j, -inf) ||
        b > fit::bound_of(settings.upper, j, inf))
      throw Error(
          ErrorCode::Data,
          fmt::format("coefficients[{}]: value is {}; expected a finite number between lower and upper (0 for a "
                      "constant column)",
                      j, b));
    beta.support.push_back(j);
    beta.values.push_back(problem.penalty[j].clamp(scaled));  // scaling a coefficient at its bound may round beyond it
  }
  return beta;
}

/// b0 of the columns as the user has them: the solver's are centred.
template <class P>
double intercept_in_user_units(const P& problem, const problem::Coefficients& beta) {
  double b0 = beta.intercept;
  for (std::size_t c = 0; c < beta.support.size(); ++c) {
    const Index j = beta.support[c];
    b0 -= problem.features.mean(j) * problem.features.scale(j) * beta.values[c];
  }
  return b0;
}

}  // namespace

Evaluation evaluate(const Dataset& data, const Settings& settings, std::span<const double> coefficients) {
  return fit::with_problem(data, settings, [&](const auto& problem) {
    auto beta = to_solver_units(problem, settings, coefficients);
    auto u = problem::predictor(problem, beta);
    if (problem.intercept) {
      beta.intercept = problem::best_intercept(problem, u);
      for (double& ui : u) ui += beta.intercept;
    }
    const double P = problem::objective(problem, u, beta);
    // P itself is rounded: a closed gap must not come out negative.
    const double D = std::min(P, problem::lower_bound(problem, problem::dual_point(problem, u)));
    if (!std::isfinite(P))
      throw Error(ErrorCode::Numerical, fmt::format("the objective is {}; rescale X, y or the coefficients", P));
    return Evaluation{P, D, P - D, (P - D) / std::max(std::abs(P), std::numeric_limits<double>::min()),
                      intercept_in_user_units(problem, beta)};
  });
}

}  // namespace ellzero
