// Columns that are equal, or equal but for the sign: whichever the search happened to use, the one with the lowest
// index is reported.
#pragma once

#include <span>
#include <tuple>

#include "problem/problem.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::solve {

/// Exchanges features of the support for such ones of lower index. `tau` belongs to any dual point: columns that are
/// equal but for the sign have taus that are, so few columns need to be compared.
template <class L>
void prefer_lowest_index(const problem::Problem<L>& problem, std::span<const double> tau, Incumbent& at);

}  // namespace ellzero::solve
