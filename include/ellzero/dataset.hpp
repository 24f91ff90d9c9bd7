// The data a user hands over: matrices, targets, weights and offset are borrowed, never changed.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "ellzero/feature_source.hpp"
#include "ellzero/index.hpp"

namespace ellzero {

/// Element (i, j) is data[i * row_stride + j * col_stride]. Column-major data is used in place; any other order is
/// copied once.
template <class T>
struct DenseMatrix {
  const T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index row_stride = 1;
  Index col_stride = 0;
};

template <class T>
DenseMatrix<T> column_major(const T* data, Index rows, Index cols) {
  return {data, rows, cols, 1, rows};
}

template <class T>
DenseMatrix<T> row_major(const T* data, Index rows, Index cols) {
  return {data, rows, cols, cols, 1};
}

/// Compressed sparse columns: the entries of column j are indptr[j] .. indptr[j + 1] - 1. Unsorted or repeated entries
/// are allowed; they are sorted and summed on a copy.
template <class T, class I>
struct SparseMatrix {
  Index rows = 0;
  Index cols = 0;
  std::span<const I> indptr;
  std::span<const I> indices;
  std::span<const T> values;
};

/// A matrix in memory, or a source of columns, which is borrowed, too, and not null.
using Matrix = std::variant<DenseMatrix<double>, DenseMatrix<float>,                                 //
                            SparseMatrix<double, std::int32_t>, SparseMatrix<double, std::int64_t>,  //
                            SparseMatrix<float, std::int32_t>, SparseMatrix<float, std::int64_t>,    //
                            const FeatureSource*>;

struct Shape {
  Index rows = 0;
  Index cols = 0;
};
Shape shape(const Matrix& X);

/// What one turn of cross-validation fits models to, and what it judges them by: rows of the data.
struct Split {
  std::vector<Index> train, test;
};

struct Dataset {
  Matrix X;
  std::span<const double> y;
  std::span<const double> weights = {};  ///< empty: all 1; a row of weight 0 is dropped
  std::span<const double> offset = {};   ///< empty: all 0
  std::span<const Split> splits = {};    ///< for cross-validation; empty: folds are dealt at random
};

}  // namespace ellzero
