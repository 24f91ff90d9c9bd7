// The refit of a model: the best coefficients on its support without any penalty, for those who shrink to find features
// and not to predict.
#pragma once

#include "core/stop.hpp"
#include "problem/problem.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::select {

/// Bounds of coefficients hold as before.                                                                      (12.12)
template <class L>
problem::Coefficients refit(const problem::Problem<L>& problem, const problem::Coefficients& beta, core::Stop& stop) {
  constexpr double precision = 1e-12;
  auto free = problem;
  free.penalty = problem.penalty.with({0, 0, 0});
  return solve::best_on_support(free, beta.support, stop, &beta, precision).beta;
}

}  // namespace ellzero::select
