// Solves small symmetric positive definite systems.
#pragma once

#include <span>

#include "ellzero/dataset.hpp"

namespace ellzero::solve {

/// Overwrites `rhs` with the solution of (H + tiny ridge) x = rhs; H is k x k column-major, its lower triangle is read
/// and overwritten. False if H is not positive definite.
bool solve_spd(std::span<double> H, std::span<double> rhs);

}  // namespace ellzero::solve
