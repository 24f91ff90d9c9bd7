// Mean, scale and norm of every column, computed once; the same pass refuses NaN, infinity and absurd magnitudes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/thread_pool.hpp"
#include "ellzero/error.hpp"

namespace ellzero::features {

/// What the solver sees of a column is x~_j = (x_j - mean_j) scale_j.
struct Standardisation {
  bool centre = false;  ///< only with an intercept, where it changes nothing but the conditioning
  bool scale = false;   ///< to norm 1 in the weighted norm sqrt(sum_i w_i x~_ij^2)
};

struct ColumnStatistics {
  std::vector<double> mean;   ///< weighted; 0 where nothing is centred
  std::vector<double> scale;  ///< 0 marks a column that is constant (or zero) and can explain nothing
  std::vector<double> norm;   ///< weighted norm of x~_j
};

/// Squares and products of numbers within these magnitudes neither overflow nor vanish.
inline constexpr double largest_magnitude = 1e60;
inline constexpr double smallest_magnitude = 1e-60;

/// Called only for columns whose sums look suspicious: finds the entry to blame, or tells that all entries are equal.
template <class Columns>
bool is_constant_or_refuse(const Columns& columns, Index j) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  if (columns.stored(j) < columns.rows) low = high = 0;
  columns.for_each_entry(j, [&](Index i, double x) {
    if (!std::isfinite(x))
      throw Error(ErrorCode::Data, fmt::format("X: row {}, column {} is {}; expected a finite number", i, j, x));
    low = std::min(low, x);
    high = std::max(high, x);
  });
  const double largest = std::max(std::abs(low), std::abs(high));
  if (largest > largest_magnitude || (largest > 0 && largest < smallest_magnitude))
    throw Error(
        ErrorCode::Data,
        fmt::format("X: the largest magnitude in column {} is {:g}; expected 0 or between {:g} and {:g} (rescale "
                    "the column)",
                    j, largest, smallest_magnitude, largest_magnitude));
  return low == high;
}

template <class Columns>
ColumnStatistics column_statistics(const Columns& columns, std::span<const double> w, double total_weight,
                                   Standardisation standardisation, core::ThreadPool& pool) {
  const auto p = static_cast<std::size_t>(columns.cols);
  ColumnStatistics s{std::vector<double>(p, 0.0), std::vector<double>(p, 1.0), std::vector<double>(p)};
  const auto measure = [&](Index j) {
    const double mean = standardisation.centre ? columns.weighted_sum(j, w) / total_weight : 0;
    double square_sum = columns.weighted_square_sum(j, w, total_weight, mean);
    const double size = std::sqrt(square_sum) + std::abs(mean) * std::sqrt(total_weight);
    // A spread within rounding of the mean may be no spread at all; !(a > b) also catches NaN.
    const bool suspicious = !(square_sum > 1e-24 * mean * mean * total_weight) || !(size < 0.5 * largest_magnitude) ||
                            !(size > 2 * smallest_magnitude * std::sqrt(total_weight));
    if (suspicious && is_constant_or_refuse(columns, j) && standardisation.centre) square_sum = 0;
    s.mean[j] = mean;
    if (square_sum == 0) s.scale[j] = 0;
    else if (standardisation.scale) s.scale[j] = 1 / std::sqrt(square_sum);
    s.norm[j] = std::sqrt(square_sum) * s.scale[j];
  };
  constexpr Index block = 64;
  pool.run((columns.cols + block - 1) / block, [&](Index b) {
    for (Index j = b * block; j < std::min(columns.cols, (b + 1) * block); ++j) measure(j);
  });
  return s;
}

}  // namespace ellzero::features
