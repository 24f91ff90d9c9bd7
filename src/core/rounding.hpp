// How far a computed number can be from the exact one: what bounds must allow for.
#pragma once

#include <algorithm>
#include <cmath>

#include "ellzero/dataset.hpp"

namespace ellzero::core {

inline constexpr double unit_roundoff = 0x1p-53;

/// Rows a dot product accumulates before it starts a fresh partial sum.
inline constexpr Index dot_tile = 4096;

/// Every kernel keeps at least this many partial sums side by side, whatever the instruction set.
inline constexpr Index dot_lanes = 4;

/// Sparse columns of no more entries than this are summed in one go.
inline constexpr Index dot_short = 256;

/// |computed x'v - exact x'v| <= dot_error(n) |x| |v| for the kernels of kernels.hpp, and with a margin for a later
/// scaling of the result: the longest chain of roundings is one lane of one tile (or one short column), then the tiles.
inline double dot_error(Index n) {
  const Index in_tile = std::max(std::min(n, dot_tile) / dot_lanes, std::min(n, dot_short)) + dot_lanes;
  return static_cast<double>(in_tile + n / dot_tile + 8) * unit_roundoff * (1 + 1e-6);
}

/// Whether a b = c d, exactly; false for different factors so large or small that this cannot be told.
inline bool equal_products(double a, double b, double c, double d) {
  if ((a == c && b == d) || (a == -c && b == -d)) return true;
  const double ab = a * b, cd = c * d;
  if (ab != cd || std::abs(ab) > 1e280) return false;
  if (std::abs(ab) < 1e-280) return (a == 0 || b == 0) && (c == 0 || d == 0);
  return std::fma(a, b, -ab) == std::fma(c, d, -cd);
}

}  // namespace ellzero::core
