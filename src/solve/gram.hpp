// Inner products of gathered columns in the metric of a loss's curvature, centred without densifying.
#pragma once

#include <span>
#include <vector>

#include "features/active.hpp"

namespace ellzero::solve {

/// h_i > 0 per row, their sum, and for each column the sum of h times its stored entries.
struct Metric {
  std::span<const double> h;
  double sum_h;
  std::span<const double> x_h;
};

/// sum_i h_i x~_ic x~_id for each d of `others`; `work` is an n-vector of zeros, and is one again afterwards.
template <features::ActiveMatrix A>
std::vector<double> gram_row(const A& active, Index c, std::span<const Index> others, const Metric& metric,
                             std::span<double> work) {
  std::vector<double> row;
  row.reserve(others.size());
  active.axpy(c, 1, metric.h, work);
  const double centre = active.centre(c);
  for (const Index d : others) {
    const double other = active.centre(d);
    row.push_back(active.dot(d, work) - other * metric.x_h[c] - centre * metric.x_h[d] + centre * other * metric.sum_h);
  }
  active.erase(c, work);
  return row;
}

}  // namespace ellzero::solve
