// Solves small symmetric positive definite systems.
#pragma once

#include <span>

#include "ellzero/dataset.hpp"

namespace ellzero::solve {

/// Overwrites `rhs` with the solution of (H + tiny ridge) x = rhs; H is k x k column-major, its lower triangle is read
/// and overwritten. False if H is not positive definite.
bool solve_spd(std::span<double> H, std::span<double> rhs);

/// Whether H is positive definite by a good margin: no column of it is all but a combination of those before. H is k x
/// k column-major, its lower triangle is read and overwritten.
bool is_definite(std::span<double> H, Index k);

}  // namespace ellzero::solve
