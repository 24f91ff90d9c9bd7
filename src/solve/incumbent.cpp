// The best coefficients on a support.
#include "solve/incumbent.hpp"

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::solve {

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

template <class L>
Incumbent best_on_support(const problem::Problem<L>& problem, std::span<const Index> support, core::Stop& stop,
                          const problem::Coefficients* warm, double precision) {
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

#define INSTANTIATE(L)                                                                                   \
  template Incumbent completed(const problem::Problem<L>& problem, problem::Coefficients beta);          \
  template Incumbent best_on_support(const problem::Problem<L>& problem, std::span<const Index> support, \
                                     core::Stop& stop, const problem::Coefficients* warm, double precision);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
