// Inner products of gathered columns in the metric of a loss's curvature, centred without densifying.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "features/active.hpp"

namespace ellzero::solve {

/// h_i > 0 per row, their sum, and for each column the sum of h times its stored entries.
struct Metric {
  std::span<const double> h;
  double sum_h;
  std::span<const double> x_h;
};

/// row[k] = sum_i h_i x~_ic x~_id for d = others[k]; `work` is an n-vector of zeros, and is one again afterwards.
inline void gram_row(const features::ActiveMatrix& active, Index c, std::span<const Index> others, const Metric& metric,
                     std::span<double> work, std::span<double> row) {
  active.axpy(c, 1, metric.h, work);
  const double centre = active.centre(c);
  for (std::size_t k = 0; k < others.size(); ++k) {
    const Index d = others[k];
    const double other = active.centre(d);
    row[k] = active.dot(d, work) - other * metric.x_h[c] - centre * metric.x_h[d] + centre * other * metric.sum_h;
  }
  active.erase(c, work);
}

/// Inner products of the columns that asked for them so far, as a packed triangle; memory is set aside beforehand.
class GramCache {
 public:
  explicit GramCache(std::size_t most) : most_(most) {}

  /// Room for a matrix of so many columns.
  void resize(std::size_t cols) {
    slot_.resize(cols, -1);
    const std::size_t most = std::min(cols, most_);
    columns_.reserve(most);
    packed_.reserve(most * (most + 1) / 2);
  }

  void forget() {
    for (const Index c : columns_) slot_[c] = -1;
    columns_.clear();
    packed_.clear();
  }

  /// Makes the inner products of these columns with one another known.
  void know(const features::ActiveMatrix& active, std::span<const Index> columns, const Metric& metric,
            std::span<double> work) {
    const auto unknown = std::count_if(columns.begin(), columns.end(), [&](Index c) { return slot_[c] < 0; });
    if (columns_.size() + static_cast<std::size_t>(unknown) > most_) forget();
    for (const Index c : columns) {
      if (slot_[c] >= 0) continue;
      slot_[c] = static_cast<Index>(columns_.size());
      columns_.push_back(c);
      const std::size_t first = packed_.size();
      packed_.resize(first + columns_.size());
      gram_row(active, c, columns_, metric, work, std::span(packed_).subspan(first));
    }
  }

  [[nodiscard]] double operator()(Index c, Index d) const {
    const auto [low, high] = std::minmax(slot_[c], slot_[d]);
    return packed_[high * (high + 1) / 2 + low];
  }

 private:
  std::size_t most_;
  std::vector<Index> slot_, columns_;  // per column its place among the known, or -1; the known
  std::vector<double> packed_;
};

}  // namespace ellzero::solve
