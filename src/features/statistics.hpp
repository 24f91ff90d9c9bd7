// Mean, scale and norm of every column, computed once; the same pass refuses NaN, infinity and absurd magnitudes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/compensated_sum.hpp"
#include "core/thread_pool.hpp"
#include "ellzero/error.hpp"

namespace ellzero::features {

/// What the solver sees of a column is x~_j = (x_j - origin_j - mean_j) scale_j.
struct Standardisation {
  bool centre = false;  ///< only with an intercept, where it changes nothing but the conditioning
  bool scale = false;   ///< to norm 1 in the weighted norm sqrt(sum_i w_i x~_ij^2)
};

struct ColumnStatistics {
  std::vector<double> origin;  ///< taken off every entry, exactly; 0 for columns that are not far from 0
  std::vector<double> mean;    ///< of x - origin, weighted; 0 where nothing is centred
  std::vector<double> scale;   ///< 0 marks a column that is constant (or zero) and can explain nothing
  std::vector<double> norm;    ///< weighted norm of x~_j
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

/// Products with a column whose mean is more than this many times its spread run over its distances from an origin near
/// the mean: they would lose the digits that the mean takes up.
inline constexpr double far_from_zero = 1e3;

/// Whether x - origin is exact for every entry: numbers within a factor of 2 of one another have an exact difference.
template <class Columns>
bool is_exact_from(const Columns& columns, Index j, double origin) {
  const double least = 0.5 * std::abs(origin), most = 2 * std::abs(origin);
  bool exact = columns.stored(j) == columns.rows;
  columns.for_each_entry(j, [&](Index /*i*/, double x) {
    const double distance = std::signbit(x) == std::signbit(origin) ? std::abs(x) : -1;
    exact = exact && distance >= least && distance <= most;
  });
  return exact;
}

/// A column that is far from 0, seen from its mean, rounded. Entries are numbers of that size themselves, so the mean
/// is no further from the nearest such number than the entries are from it, and what is left of it loses no digits.
struct FarColumn {
  double origin = 0;  ///< 0 where the column cannot be seen like that
  double mean = 0;
  double square_sum = 0;
};

template <class Columns>
FarColumn far_column(const Columns& columns, Index j, std::span<const double> w, double total_weight, double mean) {
  if (!is_exact_from(columns, j, mean)) return {};
  FarColumn far{mean};
  for (int round = 0; round < 2; ++round) far.origin += columns.weighted_sum(j, w, far.origin) / total_weight;
  if (!is_exact_from(columns, j, far.origin)) return {};
  far.mean = columns.weighted_sum(j, w, far.origin) / total_weight;
  core::CompensatedSum squares;
  columns.for_each_entry(j, [&](Index i, double x) {
    const double distance = (x - far.origin) - far.mean;
    squares.add(w[i] * distance * distance);
  });
  far.square_sum = squares.value();
  return far;
}

template <class Columns>
ColumnStatistics column_statistics(const Columns& columns, std::span<const double> w, double total_weight,
                                   Standardisation standardisation, core::ThreadPool& pool) {
  const auto p = static_cast<std::size_t>(columns.cols);
  ColumnStatistics s{.origin = std::vector<double>(p, 0.0),
                     .mean = std::vector<double>(p, 0.0),
                     .scale = std::vector<double>(p, 1.0),
                     .norm = std::vector<double>(p)};
  const auto measure = [&](Index j) {
    const double mean = standardisation.centre ? columns.weighted_sum(j, w) / total_weight : 0;
    double square_sum = columns.weighted_square_sum(j, w, total_weight, mean);
    const double size = std::sqrt(square_sum) + std::abs(mean) * std::sqrt(total_weight);
    // A spread within rounding of the mean may be no spread at all; !(a > b) also catches NaN.
    const bool suspicious = !(square_sum > 1e-24 * mean * mean * total_weight) || !(size < 0.5 * largest_magnitude) ||
                            !(size > 2 * smallest_magnitude * std::sqrt(total_weight));
    s.mean[j] = mean;
    if (suspicious && is_constant_or_refuse(columns, j) && standardisation.centre) square_sum = 0;
    else if (far_from_zero * far_from_zero * square_sum < mean * mean * total_weight) {
      if (const FarColumn far = far_column(columns, j, w, total_weight, mean); far.origin != 0) {
        s.origin[j] = far.origin;
        s.mean[j] = far.mean;
        square_sum = far.square_sum;
      }
    }
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
