// A squared-loss problem as a Quadratic.
#pragma once

#include <memory>
#include <span>

#include "core/rounding.hpp"
#include "exact/gram/diagonal.hpp"
#include "exact/gram/quadratic.hpp"
#include "loss/squared.hpp"
#include "problem/problem.hpp"

namespace ellzero::exact::gram {

/// Borrows the problem.
std::unique_ptr<Quadratic> to_quadratic(const problem::Problem<loss::Squared>& problem);

/// Moves curvature between all features at once, where that makes the root's relaxation tighter.                  (7.3)
bool strengthen_root(const problem::Problem<loss::Squared>& problem, const problem::Coefficients& beta,
                     std::span<const double> tau, double share_of_room, Quadratic& quadratic);

}  // namespace ellzero::exact::gram
