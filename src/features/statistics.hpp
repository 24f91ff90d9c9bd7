// Mean, scale and norm of every column, computed once; the same pass refuses NaN, infinity and absurd magnitudes.
#pragma once

#include <span>
#include <vector>

#include "core/thread_pool.hpp"
#include "ellzero/feature_source.hpp"

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

ColumnStatistics column_statistics(const FeatureSource& source, std::span<const double> w, double total_weight,
                                   Standardisation standardisation, core::ThreadPool& pool);

}  // namespace ellzero::features
