// ActiveMatrix: a compact copy of chosen columns, in double, centred and scaled, small enough for cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "core/kernels.hpp"
#include "ellzero/feature_source.hpp"
#include "features/statistics.hpp"

namespace ellzero::features {

/// Column c stands for x~_c = (stored entries) - centre(c): centring a sparse column would touch every row, so solvers
/// keep what the centre does as one number beside their n-vectors. Dense columns are centred explicitly: centre(c) = 0.
class ActiveMatrix {
 public:
  ActiveMatrix(const FeatureSource& from, std::span<const Index> columns, const ColumnStatistics& statistics);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return static_cast<Index>(columns_.size()); }
  [[nodiscard]] double centre(Index c) const { return columns_[c].centre; }

  /// sum over stored entries of x v
  [[nodiscard]] double dot(Index c, std::span<const double> v) const {
    const Column& x = columns_[c];
    return x.rows == nullptr ? core::dot(x.values, v) : core::sparse_dot(x.values, x.rows, x.stored, v.data());
  }
  /// out += factor x
  void axpy(Index c, double factor, std::span<double> out) const {
    const Column& x = columns_[c];
    if (x.rows == nullptr) return core::axpy(factor, x.values, out);
    for (Index k = 0; k < x.stored; ++k) out[x.rows[k]] += factor * x.values[k];
  }
  /// out += factor v x, entry by entry
  void axpy(Index c, double factor, std::span<const double> v, std::span<double> out) const {
    const Column& x = columns_[c];
    if (x.rows == nullptr) return core::axpy_product(factor, x.values, v, out);
    for (Index k = 0; k < x.stored; ++k) out[x.rows[k]] += factor * x.values[k] * v[x.rows[k]];
  }
  /// out = 0 wherever column c is stored
  void erase(Index c, std::span<double> out) const {
    const Column& x = columns_[c];
    if (x.rows == nullptr) return std::fill(out.begin(), out.end(), 0.0);
    for (Index k = 0; k < x.stored; ++k) out[x.rows[k]] = 0;
  }

  /// Takes more columns over where they are, behind its own: nothing is copied.
  void append(ActiveMatrix&& more) {
    for (auto& block : more.blocks_) blocks_.push_back(std::move(block));
    columns_.insert(columns_.end(), more.columns_.begin(), more.columns_.end());
  }

 private:
  struct Column {
    const double* values;
    const std::int32_t* rows;  // null: all rows are stored, in order
    Index stored;
    double centre;
  };
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  struct Block {
    std::unique_ptr<double[], Free> values;
    std::unique_ptr<std::int32_t[]> rows;
  };

  Index rows_;
  std::vector<Block> blocks_;  // one for each gathering
  std::vector<Column> columns_;
};

}  // namespace ellzero::features
