// How many samples weights stand for.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace ellzero::select {

/// Weights that are whole numbers say how often each sample is there; others only how much each counts beside the
/// others, which makes one sample of each that is above 0.
inline double sample_count(std::span<const double> weights) {
  const bool counts = std::all_of(weights.begin(), weights.end(), [](double w) { return w == std::floor(w); });
  if (counts) return std::accumulate(weights.begin(), weights.end(), 0.0);
  return static_cast<double>(std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; }));
}

}  // namespace ellzero::select
