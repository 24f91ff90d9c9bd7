// The compact matrices that gather() returns: chosen columns, in double, centred and scaled, small enough for cache.
#pragma once

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

/// Solvers hold an n-vector v as v + shift: centring a sparse column would touch every row, so only `shift` moves.
/// dot() wants the sum of the whole vector, which costs its owner one number to keep.
template <class A>
concept ActiveMatrix = requires(const A& a, Index c, double factor, std::span<const double> v, std::span<double> into,
                                double& shift) {
  { a.rows() } -> std::same_as<Index>;
  { a.cols() } -> std::same_as<Index>;
  { a.dot(c, v, factor) } -> std::same_as<double>;  // x~_c' v, `factor` = sum of v
  a.axpy(c, factor, into, shift);                   // v + shift += factor x~_c
};

/// Dense columns are centred and scaled explicitly, so `shift` never moves.
class DenseActive {
 public:
  template <class T>
  DenseActive(const DenseColumns<T>& from, std::span<const Index> columns, std::span<const double> mean,
              std::span<const double> scale)
      : rows_(from.rows), stride_((from.rows + 7) / 8 * 8), cols_(static_cast<Index>(columns.size())) {
    values_.reset(new (std::align_val_t{64}) double[static_cast<std::size_t>(stride_ * cols_)]());
    for (Index c = 0; c < cols_; ++c) {
      const Index j = columns[c];
      const T* x = from.data + j * from.stride;
      double* out = values_.get() + c * stride_;
      for (Index i = 0; i < rows_; ++i) out[i] = (static_cast<double>(x[i]) - mean[j]) * scale[j];
    }
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  [[nodiscard]] std::span<const double> column(Index c) const {
    return {values_.get() + c * stride_, static_cast<std::size_t>(rows_)};
  }
  [[nodiscard]] double dot(Index c, std::span<const double> v, double /*sum_v*/) const {
    return core::dot(column(c).data(), v);
  }
  void axpy(Index c, double factor, std::span<double> v, double& /*shift*/) const {
    core::axpy(factor, column(c).data(), v);
  }

 private:
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  Index rows_;
  Index stride_;
  Index cols_;
  std::unique_ptr<double[], Free> values_;
};

/// Sparse columns are scaled explicitly and centred through `shift`.
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
    starts_.reserve(columns.size() + 1);
    centre_.reserve(columns.size());
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
  [[nodiscard]] double dot(Index c, std::span<const double> v, double sum_v) const {
    const Index first = starts_[c];
    return core::sparse_dot(values_.data() + first, rows_of_.data() + first, starts_[c + 1] - first, v.data()) -
           centre_[c] * sum_v;
  }
  void axpy(Index c, double factor, std::span<double> v, double& shift) const {
    for (Index k = starts_[c]; k < starts_[c + 1]; ++k) v[rows_of_[k]] += factor * values_[k];
    shift -= factor * centre_[c];
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
