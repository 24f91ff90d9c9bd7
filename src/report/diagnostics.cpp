// The computations of diagnostics.hpp.
#include "report/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ellzero::report {

double normal_quantile(double p) {
  constexpr double root_half = 0.70710678118654752440;
  double low = -40, high = 40;
  for (int halving = 0; halving < 80; ++halving) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle * root_half) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double r_squared(std::span<const double> y, std::span<const double> fitted) {
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  double left = 0, all = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    left += (y[i] - fitted[i]) * (y[i] - fitted[i]);
    all += (y[i] - mean) * (y[i] - mean);
  }
  return all > 0 ? 1 - left / all : std::numeric_limits<double>::quiet_NaN();
}

Roc roc_curve(std::span<const double> score, std::span<const char> positive) {
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  const auto positives = static_cast<double>(std::count(positive.begin(), positive.end(), char{1}));
  const double negatives = static_cast<double>(score.size()) - positives;
  Roc curve = {{0, 0}};
  double hits = 0, misses = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    (positive[order[k]] != 0 ? hits : misses) += 1;
    if (k + 1 < order.size() && score[order[k + 1]] == score[order[k]]) continue;
    curve.emplace_back(misses / negatives, hits / positives);
  }
  return curve;
}

double area_under(const Roc& curve) {
  double area = 0;
  for (std::size_t k = 1; k < curve.size(); ++k)
    area += (curve[k].first - curve[k - 1].first) * (curve[k].second + curve[k - 1].second) / 2;
  return area;
}

std::vector<CalibrationBin> calibration(std::span<const double> probability, std::span<const char> positive, int bins) {
  std::vector<CalibrationBin> found(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < probability.size(); ++i) {
    const int bin = std::clamp(static_cast<int>(probability[i] * bins), 0, bins - 1);
    found[bin].predicted += probability[i];
    found[bin].observed += positive[i] != 0 ? 1 : 0;
    ++found[bin].count;
  }
  std::erase_if(found, [](const CalibrationBin& bin) { return bin.count == 0; });
  for (CalibrationBin& bin : found) {
    bin.predicted /= static_cast<double>(bin.count);
    bin.observed /= static_cast<double>(bin.count);
  }
  return found;
}

std::vector<std::size_t> spread_out(std::size_t count, std::size_t limit) {
  std::vector<std::size_t> places(std::min(count, limit));
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = count <= limit ? k : k * (count - 1) / (limit - 1);
  return places;
}

}  // namespace ellzero::report
