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
  DenseActive(const DenseColumns<T>& from, std::span<const Index> columns, std::span<const double> mean,
              std::span<const double> scale)
      : rows_(from.rows) {
    if (columns.empty()) return;
    const Index stride = (rows_ + 7) / 8 * 8;  // every column starts at a cache line
    const auto size = static_cast<std::size_t>(stride) * columns.size();
    blocks_.emplace_back(new (std::align_val_t{64}) double[size]);
    columns_.reserve(columns.size());
    double* out = blocks_.back().get();
    for (const Index j : columns) {
      const T* x = from.data + j * from.stride;
      for (Index i = 0; i < rows_; ++i) out[i] = (static_cast<double>(x[i]) - mean[j]) * scale[j];
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
  SparseActive(const SparseColumns<T, I>& from, std::span<const Index> columns, std::span<const double> mean,
               std::span<const double> scale)
      : rows_(from.rows) {
    std::size_t stored = 0;
    for (const Index j : columns) stored += static_cast<std::size_t>(from.stored(j));
    rows_of_.reserve(stored);
    values_.reserve(stored);
    for (const Index j : columns) {
      from.for_each_entry(j, [&](Index i, double x) {
        rows_of_.push_back(static_cast<std::int32_t>(i));
        values_.push_back(x * scale[j]);
      });
      starts_.push_back(static_cast<Index>(values_.size()));
      centre_.push_back(mean[j] * scale[j]);
    }
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return static_cast<Index>(centre_.size()); }
  [[nodiscard]] double centre(Index c) const { return centre_[c]; }
  [[nodiscard]] double dot(Index c, std::span<const double> v) const {
    const Index first = starts_[c];
    return core::sparse_dot(values_.data() + first, rows_of_.data() + first, starts_[c + 1] - first, v.data());
  }
  void axpy(Index c, double factor, std::span<double> out) const {
    for (Index k = starts_[c]; k < starts_[c + 1]; ++k) out[rows_of_[k]] += factor * values_[k];
  }
  void axpy(Index c, double factor, std::span<const double> v, std::span<double> out) const {
    for (Index k = starts_[c]; k < starts_[c + 1]; ++k) out[rows_of_[k]] += factor * values_[k] * v[rows_of_[k]];
  }
  void erase(Index c, std::span<double> out) const {
    for (Index k = starts_[c]; k < starts_[c + 1]; ++k) out[rows_of_[k]] = 0;
  }

  void append(SparseActive&& more) {
    const Index before = starts_.back();
    rows_of_.insert(rows_of_.end(), more.rows_of_.begin(), more.rows_of_.end());
    values_.insert(values_.end(), more.values_.begin(), more.values_.end());
    centre_.insert(centre_.end(), more.centre_.begin(), more.centre_.end());
    for (std::size_t c = 1; c < more.starts_.size(); ++c) starts_.push_back(before + more.starts_[c]);
  }

 private:
  Index rows_;
  std::vector<Index> starts_ = {0};
  std::vector<std::int32_t> rows_of_;  // border.cpp refuses more rows than fit
  std::vector<double> values_;
  std::vector<double> centre_;
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
