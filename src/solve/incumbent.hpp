// A solution at hand: coefficients that are best for their support, their predictor and their objective, from X itself.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "problem/problem.hpp"
#include "solve/convex_descent.hpp"

namespace ellzero::solve {

struct Incumbent {
  problem::Coefficients beta;
  std::vector<double> u;
  double objective = std::numeric_limits<double>::infinity();
};

/// Coefficients with their best intercept, predictor and objective, from X.
template <class L>
Incumbent completed(const problem::Problem<L>& problem, problem::Coefficients beta);

/// The best coefficients on a support, to a relative precision; those that end up at 0 leave it. Always-in features may
/// stay at 0.
template <class L>
Incumbent best_on_support(const problem::Problem<L>& problem, std::span<const Index> support, core::Stop& stop,
                          const problem::Coefficients* warm = nullptr, double precision = 1e-15);

}  // namespace ellzero::solve
