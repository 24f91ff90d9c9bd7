// One pass over the columns in blocks; the few that look suspicious or lie far from 0 are read once more.
#include "features/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/compensated_sum.hpp"
#include "ellzero/error.hpp"
#include "features/column.hpp"
#include "features/make_source.hpp"

namespace ellzero::features {
namespace {

/// Called only for columns whose sums look suspicious: finds the entry to blame, or tells that all entries are equal.
bool is_constant_or_refuse(const Column& column, Index j) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  if (!column.is_full()) low = high = 0;
  column.for_each([&](Index i, double x) {
    if (!std::isfinite(x)) refuse_entry(i, j, x);
    low = std::min(low, x);
    high = std::max(high, x);
  });
  const double largest = std::max(std::abs(low), std::abs(high));
  if (largest > largest_magnitude || (largest > 0 && largest < smallest_magnitude))
    refuse(
        fmt::format("X: the largest magnitude in column {} is {:g}; expected 0 or between {:g} and {:g} (rescale "
                    "the column)",
                    j, largest, smallest_magnitude, largest_magnitude));
  return low == high;
}

/// Products with a column whose mean is more than this many times its spread run over its distances from an origin near
/// the mean: they would lose the digits that the mean takes up.
constexpr double far_from_zero = 1e3;

/// Whether x - origin is exact for every entry: numbers within a factor of 2 of one another have an exact difference.
bool is_exact_from(const Column& column, double origin) {
  const double least = 0.5 * std::abs(origin), most = 2 * std::abs(origin);
  bool exact = column.is_full();
  column.for_each([&](Index /*i*/, double x) {
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

FarColumn far_column(const FeatureSource& source, const Column& column, Index j, std::span<const double> w,
                     double total_weight, double mean) {
  if (!is_exact_from(column, mean)) return {};
  FarColumn far{mean};
  for (int round = 0; round < 2; ++round) far.origin += source.dot_from(j, far.origin, w) / total_weight;
  if (!is_exact_from(column, far.origin)) return {};
  far.mean = source.dot_from(j, far.origin, w) / total_weight;
  core::CompensatedSum squares;
  column.for_each([&](Index i, double x) {
    const double distance = (x - far.origin) - far.mean;
    squares.add(w[i] * distance * distance);
  });
  far.square_sum = squares.value();
  return far;
}

}  // namespace

ColumnStatistics column_statistics(const FeatureSource& source, std::span<const double> w, double total_weight,
                                   Standardisation standardisation, core::ThreadPool& pool) {
  const auto p = static_cast<std::size_t>(source.cols());
  ColumnStatistics s{.origin = std::vector<double>(p, 0.0),
                     .mean = std::vector<double>(p, 0.0),
                     .scale = std::vector<double>(p, 1.0),
                     .norm = std::vector<double>(p)};
  const auto measure = [&](Index j, double mean, double square_sum) {
    const double size = std::sqrt(square_sum) + std::abs(mean) * std::sqrt(total_weight);
    // A spread within rounding of the mean may be no spread at all; !(a > b) also catches NaN.
    const bool suspicious = !(square_sum > 1e-24 * mean * mean * total_weight) || !(size < 0.5 * largest_magnitude) ||
                            !(size > 2 * smallest_magnitude * std::sqrt(total_weight));
    const bool far = far_from_zero * far_from_zero * square_sum < mean * mean * total_weight;
    s.mean[j] = mean;
    if (suspicious || far) {
      Column column;
      column.read(source, j);
      const bool constant = suspicious && is_constant_or_refuse(column, j);
      if (!std::isfinite(mean) || !std::isfinite(square_sum))
        refuse(
            fmt::format("X: column {} has finite entries, but mean {} and sum of squares {}; expected finite numbers",
                        j, mean, square_sum));
      if (constant && standardisation.centre) square_sum = 0;
      else if (far) {
        if (const auto seen = far_column(source, column, j, w, total_weight, mean); seen.origin != 0) {
          s.origin[j] = seen.origin;
          s.mean[j] = seen.mean;
          square_sum = seen.square_sum;
        }
      }
    }
    if (square_sum == 0) s.scale[j] = 0;
    else if (standardisation.scale) s.scale[j] = 1 / std::sqrt(square_sum);
    s.norm[j] = std::sqrt(square_sum) * s.scale[j];
  };
  const Index block = source.block();
  pool.run((source.cols() + block - 1) / block, [&](Index b) {
    const Index first = b * block, count = std::min(source.cols() - first, block);
    std::vector<Index> columns(static_cast<std::size_t>(count));
    std::iota(columns.begin(), columns.end(), first);
    std::vector<double> means(columns.size(), 0.0), squares(columns.size());
    if (standardisation.centre) {
      source.sweep(columns, w, means);
      for (double& mean : means) mean /= total_weight;
    }
    source.square_sums(columns, w, total_weight, means, squares);
    for (Index c = 0; c < count; ++c) measure(first + c, means[c], squares[c]);
  });
  return s;
}

}  // namespace ellzero::features
