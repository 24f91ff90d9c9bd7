// The entries of one column of a user's matrix, as it lies there: for the few columns that a prediction needs.
#pragma once

#include <algorithm>

#include <fmt/format.h>

#include "ellzero/dataset.hpp"
#include "ellzero/error.hpp"
#include "features/column.hpp"

namespace ellzero::features {

/// visit(i, x_ij) for what is stored of column j, 0 <= j < cols; repeated entries of a sparse column come one by one.
template <class T, class Visit>
void for_each_entry(const DenseMatrix<T>& X, Index j, Visit&& visit) {
  for (Index i = 0; i < X.rows; ++i) visit(i, static_cast<double>(X.data[i * X.row_stride + j * X.col_stride]));
}

/// Throws Error where the structure of the column is none.
template <class T, class I, class Visit>
void for_each_entry(const SparseMatrix<T, I>& X, Index j, Visit&& visit) {
  const auto stored = static_cast<Index>(std::min(X.indices.size(), X.values.size()));
  if (static_cast<Index>(X.indptr.size()) != X.cols + 1)
    throw Error(ErrorCode::Data,
                fmt::format("X.indptr: length is {}; expected {} (columns + 1)", X.indptr.size(), X.cols + 1));
  if (X.indptr[j] < 0 || X.indptr[j + 1] > stored)
    throw Error(ErrorCode::Data, fmt::format("X.indptr[{}]: {} to {}; expected 0 to {}, the number of stored entries",
                                             j, X.indptr[j], X.indptr[j + 1], stored));
  for (I k = X.indptr[j]; k < X.indptr[j + 1]; ++k) {
    if (X.indices[k] < 0 || X.indices[k] >= X.rows)
      throw Error(ErrorCode::Data,
                  fmt::format("X.indices[{}]: row {} in column {}; expected 0 to {}", k, X.indices[k], j, X.rows - 1));
    visit(Index{X.indices[k]}, static_cast<double>(X.values[k]));
  }
}

template <class Visit>
void for_each_entry(const FeatureSource* X, Index j, Visit&& visit) {
  Column column;
  column.read(*X, j);
  column.for_each(std::forward<Visit>(visit));
}

}  // namespace ellzero::features
