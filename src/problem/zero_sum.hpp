// Makes the sum of a dual vector exactly 0 in floating point, as an intercept demands of a bound (3.7).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "ellzero/dataset.hpp"

namespace ellzero::problem {

/// Entries only move towards 0, which stays inside every loss's domain. First the sign class with the larger sum is
/// scaled down; then every entry becomes a whole number of quanta, few enough that integers add them up exactly, and
/// the quanta left over are taken from the heavier class. Where b0 was solved for first, all of it is within rounding.
inline void make_sum_zero(std::span<double> alpha) {
  double positive = 0, negative = 0, largest = 0;
  for (const double a : alpha) {
    (a > 0 ? positive : negative) += std::abs(a);
    largest = std::max(largest, std::abs(a));
  }
  const auto n = static_cast<Index>(alpha.size());
  const int bits = std::min(51, 62 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))));
  const double quantum = std::ldexp(1.0, std::ilogb(largest > 0 ? largest : 1.0) + 1 - bits);
  if (std::min(positive, negative) == 0 || !std::isnormal(quantum)) {  // only 0 adds up to 0 (or nearly nothing does)
    std::fill(alpha.begin(), alpha.end(), 0.0);
    return;
  }
  const double keep_positive = positive > negative ? negative / positive : 1;
  const double keep_negative = negative > positive ? positive / negative : 1;
  std::int64_t excess = 0;  // the sum, in quanta
  for (double& a : alpha) {
    const double quanta = std::trunc(a * (a > 0 ? keep_positive : keep_negative) / quantum);
    excess += static_cast<std::int64_t>(quanta);
    a = quanta * quantum;
  }
  while (excess != 0) {
    const std::int64_t share = std::max<std::int64_t>(1, std::abs(excess) / n);
    for (Index i = 0; i < n && excess != 0; ++i) {
      if (alpha[i] == 0 || (alpha[i] > 0) != (excess > 0)) continue;
      const auto quanta = static_cast<std::int64_t>(alpha[i] / quantum);
      const std::int64_t take = std::min({share, std::abs(quanta), std::abs(excess)});
      const std::int64_t signed_take = excess > 0 ? take : -take;
      alpha[i] = static_cast<double>(quanta - signed_take) * quantum;
      excess -= signed_take;
    }
  }
}

}  // namespace ellzero::problem
