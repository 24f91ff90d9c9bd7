// One column of a source, read: a buffer to use again and again, and sums over the entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ellzero/feature_source.hpp"

namespace ellzero::features {

class Column {
 public:
  void read(const FeatureSource& source, Index j) {
    stored_ = source.stored(j);
    all_ = source.rows();
    is_sparse_ = source.is_sparse();
    if (is_sparse_) rows_.resize(static_cast<std::size_t>(stored_));
    values_.resize(static_cast<std::size_t>(stored_));
    source.read(j, is_sparse_ ? rows_.data() : nullptr, values_.data());
  }

  [[nodiscard]] bool is_sparse() const { return is_sparse_; }
  [[nodiscard]] bool is_full() const { return stored_ == all_; }
  [[nodiscard]] Index stored() const { return stored_; }
  [[nodiscard]] const std::int32_t* rows() const { return rows_.data(); }
  [[nodiscard]] const double* values() const { return values_.data(); }

  /// visit(row, entry) for what is stored, by ascending row.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (Index k = 0; k < stored_; ++k) visit(is_sparse_ ? Index{rows_[k]} : k, values_[k]);
  }

 private:
  Index stored_ = 0, all_ = 0;
  bool is_sparse_ = false;
  std::vector<std::int32_t> rows_;
  std::vector<double> values_;
};

/// sum_i w_i (x_i - mean)^2 over all rows of a sparse column; rows without an entry are at distance `mean`.
template <class T, class I>
double square_sum(const T* values, const I* rows, Index stored, std::span<const double> w, double total_weight,
                  double mean) {
  double squares = 0;
  double weight_here = 0;
  for (Index k = 0; k < stored; ++k) {
    const double distance = static_cast<double>(values[k]) - mean;
    squares += w[rows[k]] * distance * distance;
    weight_here += w[rows[k]];
  }
  const double elsewhere = stored < static_cast<Index>(w.size()) ? total_weight - weight_here : 0;
  return squares + (elsewhere > 0 ? elsewhere * mean * mean : 0);
}

}  // namespace ellzero::features
