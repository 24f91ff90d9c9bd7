// How a model's predictions compare with what was observed: quantiles of residuals, ROC curve, calibration.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ellzero/dataset.hpp"

namespace ellzero::report {

/// The x at which the standard normal distribution has collected the probability p, 0 < p < 1.
double normal_quantile(double p);

/// 1 - (sum of squared residuals) / (sum of squared distances to the mean); NaN where y is constant.
double r_squared(std::span<const double> y, std::span<const double> fitted);

/// (false positives, true positives) as shares, from (0, 0) to (1, 1), one point for each score that occurs.
using Roc = std::vector<std::pair<double, double>>;
/// `positive` is 1 for the class that high scores speak for. Samples of equal score enter together. NaN where a class
/// is empty.
Roc roc_curve(std::span<const double> score, std::span<const char> positive);
/// By trapezia: the share of pairs, one sample of each class, that the score puts in order; ties count half.
double area_under(const Roc& curve);

struct CalibrationBin {
  double predicted = 0;  ///< mean probability
  double observed = 0;   ///< share of positives
  Index count = 0;
};
/// `bins` intervals of [0, 1] of the same length; those without samples are left out.
std::vector<CalibrationBin> calibration(std::span<const double> probability, std::span<const char> positive, int bins);

/// Positions 0 to count - 1, all of them or `limit` evenly spread ones with the first and the last among them.
std::vector<std::size_t> spread_out(std::size_t count, std::size_t limit);

}  // namespace ellzero::report
