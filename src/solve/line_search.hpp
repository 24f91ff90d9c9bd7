// Exact minimisation along a line of a quadratic plus the separable relaxation phi, which is piecewise quadratic.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "penalty/coordinate.hpp"

namespace ellzero::solve {

inline constexpr std::size_t most_breaks = 3;

/// The t in [0, limit] that minimises slope t + curvature t^2/2 + sum_c phi_c(b_c + t d_c), where limit is the first t
/// at which some coordinate leaves its box. Between breakpoints (a sign change, the knee of phi) the derivative is
/// linear. `breaks` is room to work in, for at most most_breaks numbers per coordinate and two more.
inline double exact_line_search(double slope, double curvature, std::span<const penalty::Coordinate* const> phi,
                                std::span<const double> b, std::span<const double> d, std::vector<double>& breaks) {
  double limit = 16;  // a full second-order step is 1
  breaks.assign(1, 0.0);
  for (std::size_t c = 0; c < b.size(); ++c) {
    if (d[c] == 0) continue;
    const auto cut = [&](double target) {
      const double t = (target - b[c]) / d[c];
      if (t > 0 && t < limit) breaks.push_back(t);
    };
    const double end = phi[c]->reach(d[c]);
    if (std::isfinite(end)) limit = std::min(limit, std::max(0.0, (std::copysign(end, d[c]) - b[c]) / d[c]));
    cut(0);
    for (const double sign : {-1.0, 1.0})
      if (const double knee = phi[c]->knee(sign); std::isfinite(knee)) cut(sign * knee);
  }
  if (limit == 0) return 0;
  std::sort(breaks.begin(), breaks.end());
  while (breaks.back() > limit) breaks.pop_back();
  breaks.push_back(limit);
  const auto derivative = [&](double t) {
    double total = slope + curvature * t;
    for (std::size_t c = 0; c < b.size(); ++c)
      if (d[c] != 0) total += d[c] * phi[c]->relaxation_slope(b[c] + t * d[c]);
    return total;
  };
  // The derivative only rises, and is linear on a piece: find the last one that starts downhill.
  const auto quarters = [&](std::size_t piece) {
    const double from = breaks[piece], length = breaks[piece + 1] - from;
    return std::pair(derivative(from + 0.25 * length), derivative(from + 0.75 * length));
  };
  const auto downhill = [&](std::size_t piece) {
    const auto [low, high] = quarters(piece);
    return 1.5 * low < 0.5 * high;
  };
  std::size_t first = 0, last = breaks.size() - 1;  // pieces before `first` go down, `last` and beyond do not
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (downhill(middle)) first = middle + 1;
    else last = middle;
  }
  if (first == 0) return 0;
  const double from = breaks[first - 1], to = breaks[first];
  const auto [low, high] = quarters(first - 1);
  if (high <= low) return to;
  return std::clamp(from + (to - from) * (0.25 - 0.5 * low / (high - low)), from, to);
}

}  // namespace ellzero::solve
