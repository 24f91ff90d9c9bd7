// The compact matrices that gather() returns: chosen columns, in double, centred and scaled, small enough for cache.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "core/kernels.hpp"
#include "features/columns.hpp"
#include "features/statistics.hpp"

namespace ellzero::features {

/// Column c stands for x~_c = (stored entries) - centre(c): centring a sparse column would touch every row, so solvers
/// keep what the centre does as one number beside their n-vectors. Dense columns are centred explicitly: centre(c) = 0.
template <class A>
concept ActiveMatrix = std::movable<A> &&
    requires(A& grown, A&& more, const A& a, Index c, double factor, std::span<const double> v, std::span<double> out) {
  { a.rows() } -> std::same_as<Index>;
  { a.cols() } -> std::same_as<Index>;
  { a.centre(c) } -> std::same_as<double>;
  { a.dot(c, v) } -> std::same_as<double>;  // sum over stored entries of x v
  a.axpy(c, factor, out);                   // out += factor x
  a.axpy(c, factor, v, out);                // out += factor v x, entry by entry
  a.erase(c, out);                          // out = 0 wherever column c is stored
  grown.append(std::move(more));            // more columns behind its own
};

class DenseActive {
 public:
  template <class T>
  DenseActive(const DenseColumns<T>& from, std::span<const Index> columns, const ColumnStatistics& statistics)
      : rows_(from.rows) {
    if (columns.empty()) return;
    const Index stride = (rows_ + 7) / 8 * 8;  // every column starts at a cache line
    const auto size = static_cast<std::size_t>(stride) * columns.size();
    blocks_.emplace_back(new (std::align_val_t{64}) double[size]);
    columns_.reserve(columns.size());
    double* out = blocks_.back().get();
    for (const Index j : columns) {
      const T* x = from.data + j * from.stride;
      const double origin = statistics.origin[j], mean = statistics.mean[j], scale = statistics.scale[j];
      if (origin == 0)
        for (Index i = 0; i < rows_; ++i) out[i] = (static_cast<double>(x[i]) - mean) * scale;
      else
        for (Index i = 0; i < rows_; ++i) out[i] = ((static_cast<double>(x[i]) - origin) - mean) * scale;
      columns_.push_back(out);
      out += stride;
    }
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return static_cast<Index>(columns_.size()); }
  [[nodiscard]] static double centre(Index /*c*/) { return 0; }
  [[nodiscard]] double dot(Index c, std::span<const double> v) const { return core::dot(columns_[c], v); }
  void axpy(Index c, double factor, std::span<double> out) const { core::axpy(factor, columns_[c], out); }
  void axpy(Index c, double factor, std::span<const double> v, std::span<double> out) const {
    core::axpy_product(factor, columns_[c], v, out);
  }
  static void erase(Index /*c*/, std::span<double> out) { std::fill(out.begin(), out.end(), 0.0); }

  /// Takes the columns over where they are: nothing is copied.
  void append(DenseActive&& more) {
    for (auto& block : more.blocks_) blocks_.push_back(std::move(block));
    columns_.insert(columns_.end(), more.columns_.begin(), more.columns_.end());
  }

 private:
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };

  Index rows_;
  std::vector<std::unique_ptr<double[], Free>> blocks_;  // one for each gathering
  std::vector<const double*> columns_;
};

class SparseActive {
 public:
  template <class T, class I>
  SparseActive(const SparseColumns<T, I>& from, std::span<const Index> columns, const ColumnStatistics& statistics)
      : rows_(from.rows) {
    if (columns.empty()) return;
    std::size_t stored = 0;
    for (const Index j : columns) stored += static_cast<std::size_t>(from.stored(j));
    auto& block = blocks_.emplace_back(std::make_unique_for_overwrite<std::int32_t[]>(stored),
                                       std::make_unique_for_overwrite<double[]>(stored));
    std::int32_t* row = block.first.get();
    double* value = block.second.get();
    columns_.reserve(columns.size());
    for (const Index j : columns) {
      const double origin = statistics.origin[j], scale = statistics.scale[j];
      columns_.push_back({row, value, from.stored(j), statistics.mean[j] * scale});
      from.for_each_entry(j, [&](Index i, double x) {
        *row++ = static_cast<std::int32_t>(i);
        *value++ = (x - origin) * scale;
      });
    }
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return static_cast<Index>(columns_.size()); }
  [[nodiscard]] double centre(Index c) const { return columns_[c].centre; }
  [[nodiscard]] double dot(Index c, std::span<const double> v) const {
    const Column& x = columns_[c];
    return core::sparse_dot(x.values, x.rows, x.stored, v.data());
  }
  void axpy(Index c, double factor, std::span<double> out) const {
    const Column& x = columns_[c];
    for (Index k = 0; k < x.stored; ++k) out[x.rows[k]] += factor * x.values[k];
  }
  void axpy(Index c, double factor, std::span<const double> v, std::span<double> out) const {
    const Column& x = columns_[c];
    for (Index k = 0; k < x.stored; ++k) out[x.rows[k]] += factor * x.values[k] * v[x.rows[k]];
  }
  void erase(Index c, std::span<double> out) const {
    const Column& x = columns_[c];
    for (Index k = 0; k < x.stored; ++k) out[x.rows[k]] = 0;
  }

  /// Takes the columns over where they are: nothing is copied.
  void append(SparseActive&& more) {
    for (auto& block : more.blocks_) blocks_.push_back(std::move(block));
    columns_.insert(columns_.end(), more.columns_.begin(), more.columns_.end());
  }

 private:
  struct Column {
    const std::int32_t* rows;  // border.cpp refuses more rows than fit
    const double* values;
    Index stored;
    double centre;
  };

  Index rows_;
  std::vector<std::pair<std::unique_ptr<std::int32_t[]>, std::unique_ptr<double[]>>> blocks_;  // one for each gathering
  std::vector<Column> columns_;
};

static_assert(ActiveMatrix<DenseActive> && ActiveMatrix<SparseActive>);

DenseActive active_type(const DenseColumns<double>&);
DenseActive active_type(const DenseColumns<float>&);
template <class T, class I>
SparseActive active_type(const SparseColumns<T, I>&);

/// The active matrix that belongs to a kind of columns.
template <class Columns>
using ActiveOf = decltype(active_type(std::declval<Columns>()));

}  // namespace ellzero::features
