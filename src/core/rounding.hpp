// How far a computed number can be from the exact one: what bounds must allow for.
#pragma once

#include "ellzero/dataset.hpp"

namespace ellzero::core {

inline constexpr double unit_roundoff = 0x1p-53;

/// Rows a dot product accumulates before it starts a fresh partial sum.
inline constexpr Index dot_tile = 4096;

/// Every kernel keeps at least this many partial sums side by side, whatever the instruction set.
inline constexpr Index dot_lanes = 4;

/// |computed x'v - exact x'v| <= dot_error(n) |x| |v| for the kernels of kernels.hpp, and with a margin for a later
/// scaling of the result: the longest chain of roundings is one lane of one tile, then the tiles.
inline double dot_error(Index n) {
  const Index in_tile = (n < dot_tile ? n : dot_tile) / dot_lanes + dot_lanes;
  return static_cast<double>(in_tile + n / dot_tile + 8) * unit_roundoff * (1 + 1e-6);
}

}  // namespace ellzero::core
