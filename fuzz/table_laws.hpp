// What holds for every table that a reader hands over.
#pragma once

#include <cmath>
#include <variant>

#include "fuzz/harness.hpp"
#include "io/table/table.hpp"

namespace ellzero::fuzz {

template <class T>
void check_matrix(const DenseMatrix<T>& X) {
  double sum = 0;
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i) sum += static_cast<double>(X.data[i * X.row_stride + j * X.col_stride]);
  volatile double seen = sum;  // all of it can be read
  (void)seen;
}

template <class T, class I>
void check_matrix(const SparseMatrix<T, I>& X) {
  require(static_cast<Index>(X.indptr.size()) == X.cols + 1 && X.indptr[0] == 0);
  require(static_cast<std::size_t>(X.indptr.back()) == X.indices.size() && X.indices.size() == X.values.size());
  for (Index j = 0; j < X.cols; ++j)
    for (I e = X.indptr[j]; e < X.indptr[j + 1]; ++e) {
      require(X.indices[e] >= 0 && X.indices[e] < X.rows);
      require(e == X.indptr[j] || X.indices[e - 1] < X.indices[e]);
    }
}

/// A table holds its entries.
inline void check_matrix(const FeatureSource* /*X*/) { require(false); }

/// Shapes fit together; unless missing numbers may stay, all are finite.
inline void check_table(const io::table::Table& table) {
  const auto rows = static_cast<std::size_t>(table.rows());
  require(table.y.empty() || table.y.size() == rows);
  require(table.weights.empty() || table.weights.size() == rows);
  require(table.offset.empty() || table.offset.size() == rows);
  require(table.names.empty() || static_cast<Index>(table.names.size()) == table.cols());
  std::visit([](const auto& X) { check_matrix(X); }, table.matrix());
}

}  // namespace ellzero::fuzz
