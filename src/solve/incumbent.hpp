// A solution at hand: coefficients that are best for their support, their predictor and their objective, from X itself.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <utility>
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
Incumbent completed(const problem::Problem<L>& problem, problem::Coefficients beta) {
  Incumbent result{std::move(beta), {}, 0};
  result.u = problem::predictor(problem, result.beta);
  if (problem.intercept) {
    const double by = problem::best_intercept(problem, result.u);
    result.beta.intercept += by;
    for (double& ui : result.u) ui += by;
  }
  result.objective = problem::objective(problem, result.u, result.beta);
  return result;
}

/// The best coefficients on a support, to a relative precision; those that end up at 0 leave it. Always-in features may
/// stay at 0.
template <class L>
Incumbent best_on_support(const problem::Problem<L>& problem, std::span<const Index> support, core::Stop& stop,
                          const problem::Coefficients* warm = nullptr, double precision = 1e-15) {
  auto active = problem.features.gather(support);
  ConvexDescent descent(problem.loss, {problem.y, problem.weights, problem.offset, problem.intercept},
                        problem.features.gather({}));
  std::vector<const Coordinate*> coordinates;
  for (const Index j : support) coordinates.push_back(&problem.penalty.in_model(j));
  descent.append(std::move(active), coordinates);
  if (warm != nullptr) {
    descent.set_intercept(warm->intercept);
    for (std::size_t c = 0, k = 0; c < support.size(); ++c) {
      while (k < warm->support.size() && warm->support[k] < support[c]) ++k;
      if (k < warm->support.size() && warm->support[k] == support[c])
        descent.set_beta(static_cast<Index>(c), warm->values[k]);
    }
  }
  descent.descend({0, precision * std::abs(descent.objective())}, 500, stop);
  problem::Coefficients beta{descent.intercept()};
  for (Index c = 0; c < descent.cols(); ++c)
    if (descent.beta(c) != 0) {
      beta.support.push_back(support[c]);
      beta.values.push_back(descent.beta(c));
    }
  return completed(problem, std::move(beta));
}

}  // namespace ellzero::solve
