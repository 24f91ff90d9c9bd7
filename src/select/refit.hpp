// The refit of a model: the best coefficients on its support without any penalty, for those who shrink to find features
// and not to predict.
#pragma once

#include <span>

#include "core/stop.hpp"
#include "problem/problem.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::select {

/// Bounds of coefficients hold as before; the objective is the loss. `warm`: where to begin.                    (12.12)
template <class L>
solve::Incumbent refit(const problem::Problem<L>& problem, std::span<const Index> support, core::Stop& stop,
                       const problem::Coefficients* warm = nullptr) {
  constexpr double precision = 1e-12;
  auto free = problem;
  free.penalty = problem.penalty.with({0, 0, 0});
  return solve::best_on_support(free, support, stop, warm, precision);
}

}  // namespace ellzero::select
