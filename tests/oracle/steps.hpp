// Steps: a source whose columns are made when they are asked for. Column j is 0 up to row j and 1 after it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "ellzero/feature_source.hpp"

namespace ellzero::oracle {

/// Features of a signal that jumps: as many columns as rows, but one; no entry is ever stored.
class Steps final : public FeatureSource {
 public:
  explicit Steps(Index rows) : rows_(rows) {}

  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return rows_ - 1; }

  void read(Index j, std::int32_t* /*rows*/, double* values) const override {
    std::fill_n(values, j + 1, 0.0);
    std::fill(values + j + 1, values + rows_, 1.0);
  }

  /// All products of one vector are its sums from the end.
  void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const override {
    const std::vector<double> tail = sums_from_the_end(v);
    for (std::size_t c = 0; c < columns.size(); ++c) out[c] = tail[columns[c] + 1];
  }

  void square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                   std::span<const double> means, std::span<double> out) const override {
    const std::vector<double> tail = sums_from_the_end(w);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double ones = tail[columns[c] + 1], mean = means[c];
      out[c] = ones * (1 - mean) * (1 - mean) + (total_weight - ones) * mean * mean;
    }
  }

  [[nodiscard]] double dot_error() const override { return 0x1p-48; }  // compensated sums: 2 roundings, and a margin
  [[nodiscard]] Index block() const override { return cols(); }

 private:
  static std::vector<double> sums_from_the_end(std::span<const double> v) {
    std::vector<double> tail(v.size() + 1, 0.0);
    double sum = 0, lost = 0;
    for (std::size_t i = v.size(); i-- > 0;) {
      const double next = sum + v[i];
      lost += std::abs(sum) >= std::abs(v[i]) ? (sum - next) + v[i] : (v[i] - next) + sum;
      sum = next;
      tail[i] = sum + lost;
    }
    return tail;
  }

  Index rows_;
};

}  // namespace ellzero::oracle
