// Raw columns as they lie in memory, dense or sparse: the only two types that know how an entry is stored.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/kernels.hpp"
#include "ellzero/dataset.hpp"

namespace ellzero::features {

/// Column j starts at data + j * stride. The data is borrowed, or kept alive by `owner`.
template <class T>
struct DenseColumns {
  const T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;
  std::shared_ptr<const void> owner = nullptr;

  /// Columns that a sweep asks for together, so that v is read once for several of them.
  static constexpr Index group = 64;

  /// visit(j, x_j' v) for the columns j = column_at(first) .. column_at(first + count - 1), count <= group.
  template <class At, class Visit>
  void for_each_dot(Index first, Index count, At column_at, std::span<const double> v, Visit&& visit) const {
    const T* starts[group];
    double dots[group];
    for (Index c = 0; c < count; ++c) starts[c] = data + column_at(first + c) * stride;
    core::column_dots(std::span<const T* const>(starts, static_cast<std::size_t>(count)), v, dots);
    for (Index c = 0; c < count; ++c) visit(column_at(first + c), dots[c]);
  }

  /// visit(k, j, x_j' v_k) for count <= group columns j from `first` on, and all vectors v_k.
  template <class Visit>
  void for_each_dot(Index first, Index count, std::span<const double* const> v, Visit&& visit) const {
    const T* starts[group];
    std::vector<double> dots(v.size() * static_cast<std::size_t>(count));
    for (Index c = 0; c < count; ++c) starts[c] = data + (first + c) * stride;
    core::dot_matrix(std::span<const T* const>(starts, static_cast<std::size_t>(count)), v, rows, dots.data());
    for (std::size_t k = 0; k < v.size(); ++k)
      for (Index c = 0; c < count; ++c) visit(k, first + c, dots[k * static_cast<std::size_t>(count) + c]);
  }

  template <class Visit>
  void for_each_entry(Index j, Visit&& visit) const {
    const T* x = data + j * stride;
    for (Index i = 0; i < rows; ++i) visit(i, static_cast<double>(x[i]));
  }

  [[nodiscard]] double weighted_sum(Index j, std::span<const double> w) const {
    return core::dot(data + j * stride, w);
  }

  /// sum_i w_i (x_ij - origin)
  [[nodiscard]] double weighted_sum(Index j, std::span<const double> w, double origin) const {
    return core::dot_from(data + j * stride, w, origin);
  }

  /// sum_i w_i (x_ij - mean)^2 over all rows.
  [[nodiscard]] double weighted_square_sum(Index j, std::span<const double> w, double /*total_weight*/,
                                           double mean) const {
    return core::centred_square_sum(data + j * stride, w, mean);
  }

  [[nodiscard]] Index stored(Index /*j*/) const { return rows; }
};

/// Compressed sparse columns with rows sorted and unique in each column.
template <class T, class I>
struct SparseColumns {
  Index rows = 0;
  Index cols = 0;
  const I* indptr = nullptr;
  const I* indices = nullptr;
  const T* values = nullptr;
  std::shared_ptr<const void> owner = nullptr;

  static constexpr Index group = 64;

  template <class At, class Visit>
  void for_each_dot(Index first, Index count, At column_at, std::span<const double> v, Visit&& visit) const {
    for (Index c = first; c < first + count; ++c) visit(column_at(c), weighted_sum(column_at(c), v));
  }

  template <class Visit>
  void for_each_dot(Index first, Index count, std::span<const double* const> v, Visit&& visit) const {
    for (std::size_t k = 0; k < v.size(); ++k)
      for (Index j = first; j < first + count; ++j)
        visit(k, j, weighted_sum(j, {v[k], static_cast<std::size_t>(rows)}));
  }

  template <class Visit>
  void for_each_entry(Index j, Visit&& visit) const {
    for (I k = indptr[j]; k < indptr[j + 1]; ++k) visit(Index{indices[k]}, static_cast<double>(values[k]));
  }

  [[nodiscard]] double weighted_sum(Index j, std::span<const double> w) const {
    return core::sparse_dot(values + indptr[j], indices + indptr[j], stored(j), w.data());
  }

  /// sum_i w_i (x_ij - origin) over the rows that are stored.
  [[nodiscard]] double weighted_sum(Index j, std::span<const double> w, double origin) const {
    return core::sparse_dot(values + indptr[j], indices + indptr[j], stored(j), w.data(), origin);
  }

  /// sum_i w_i (x_ij - mean)^2 over all rows; rows without an entry are at distance `mean`.
  [[nodiscard]] double weighted_square_sum(Index j, std::span<const double> w, double total_weight, double mean) const {
    double squares = 0;
    double weight_here = 0;
    for_each_entry(j, [&](Index i, double x) {
      squares += w[i] * (x - mean) * (x - mean);
      weight_here += w[i];
    });
    const double elsewhere = stored(j) < rows ? total_weight - weight_here : 0;
    return squares + (elsewhere > 0 ? elsewhere * mean * mean : 0);
  }

  [[nodiscard]] Index stored(Index j) const { return Index{indptr[j + 1]} - Index{indptr[j]}; }
};

}  // namespace ellzero::features
