// The checks and the one copy of border.hpp.
#include "features/border.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ellzero/error.hpp"

namespace ellzero::features {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::Data, message); }

void check_shape(Index rows, Index cols, std::size_t element) {
  if (rows < 1 || cols < 1)
    refuse(fmt::format("X: shape is {} x {}; expected at least 1 row and 1 column", rows, cols));
  if (rows > std::numeric_limits<Index>::max() / static_cast<Index>(element) / cols)
    refuse(fmt::format("X: shape {} x {} overflows the size of an array", rows, cols));
}

std::vector<Index> rows_or_all(std::span<const Index> keep, Index rows) {
  if (!keep.empty()) return {keep.begin(), keep.end()};
  std::vector<Index> all(static_cast<std::size_t>(rows));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

[[noreturn]] void refuse_entry(Index i, Index j, double x) {
  refuse(fmt::format("X: row {}, column {} is {}; expected a finite number", i, j, x));
}

/// Where rows are dropped, entries must be checked while rows are still counted as the user counts them.
template <class T>
void check_entries(const DenseMatrix<T>& X) {
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i)
      if (const T x = X.data[i * X.row_stride + j * X.col_stride]; !std::isfinite(x)) refuse_entry(i, j, x);
}
template <class T, class I>
void check_entries(const SparseMatrix<T, I>& X) {
  for (Index j = 0; j < X.cols; ++j)
    for (I k = X.indptr[j]; k < X.indptr[j + 1]; ++k)
      if (!std::isfinite(X.values[k])) refuse_entry(X.indices[k], j, X.values[k]);
}

/// Copies in square blocks, so that both the strided reads and the contiguous writes stay in cache.
template <class T>
void copy_blocked(const DenseMatrix<T>& X, std::span<const Index> keep, T* out) {
  constexpr Index side = 64;
  const auto n = static_cast<Index>(keep.size());
  for (Index j0 = 0; j0 < X.cols; j0 += side)
    for (Index i0 = 0; i0 < n; i0 += side)
      for (Index j = j0; j < std::min(X.cols, j0 + side); ++j)
        for (Index i = i0; i < std::min(n, i0 + side); ++i)
          out[j * n + i] = X.data[keep[i] * X.row_stride + j * X.col_stride];
}

template <class I>
void check_structure(Index rows, Index cols, std::span<const I> indptr, std::span<const I> indices,
                     std::size_t values) {
  if (indptr.size() != static_cast<std::size_t>(cols) + 1)
    refuse(fmt::format("X.indptr: length is {}; expected {} (columns + 1)", indptr.size(),
                       static_cast<std::size_t>(cols) + 1));
  if (indices.size() != values)
    refuse(fmt::format("X.indices: length is {}; expected {} (as many as X.values)", indices.size(), values));
  if (indptr[0] != 0) refuse(fmt::format("X.indptr[0]: value is {}; expected 0", indptr[0]));
  if (indptr[cols] < 0 || static_cast<std::size_t>(indptr[cols]) > indices.size())
    refuse(fmt::format("X.indptr[{}]: value is {}; expected the number of stored entries, {}", cols, indptr[cols],
                       indices.size()));
  for (Index j = 0; j < cols; ++j) {
    if (indptr[j + 1] < indptr[j] || indptr[j + 1] > indptr[cols])
      refuse(fmt::format("X.indptr[{}]: value is {} after {}; expected one that does not fall, up to {}", j + 1,
                         indptr[j + 1], indptr[j], indptr[cols]));
    for (I k = indptr[j]; k < indptr[j + 1]; ++k)
      if (indices[k] < 0 || indices[k] >= rows)
        refuse(fmt::format("X.indices[{}]: row {} in column {}; expected 0 to {}", k, indices[k], j, rows - 1));
  }
}

template <class T, class I>
bool sorted_and_unique(const SparseMatrix<T, I>& X) {
  for (Index j = 0; j < X.cols; ++j)
    for (I k = X.indptr[j] + 1; k < X.indptr[j + 1]; ++k)
      if (X.indices[k] <= X.indices[k - 1]) return false;
  return true;
}

template <class T, class I>
struct OwnedSparse {
  std::vector<I> indptr;
  std::vector<I> indices;
  std::vector<T> values;
};

/// Sorts each column by row, sums repeated entries and leaves out the rows that are not kept.
template <class T, class I>
std::shared_ptr<OwnedSparse<T, I>> tidy_copy(const SparseMatrix<T, I>& X, std::span<const Index> keep) {
  std::vector<Index> place(static_cast<std::size_t>(X.rows), -1);
  for (std::size_t i = 0; i < keep.size(); ++i) place[keep[i]] = static_cast<Index>(i);
  auto copy = std::make_shared<OwnedSparse<T, I>>();
  copy->indptr.reserve(X.indptr.size());
  copy->indices.reserve(X.indices.size());
  copy->values.reserve(X.values.size());
  copy->indptr.push_back(0);
  std::vector<std::pair<I, double>> column;
  for (Index j = 0; j < X.cols; ++j) {
    column.clear();
    for (I k = X.indptr[j]; k < X.indptr[j + 1]; ++k)
      if (const Index to = place[X.indices[k]]; to >= 0)
        column.emplace_back(static_cast<I>(to), static_cast<double>(X.values[k]));
    std::stable_sort(column.begin(), column.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < column.size();) {
      const I row = column[k].first;
      double sum = 0;
      for (; k < column.size() && column[k].first == row; ++k) sum += column[k].second;
      copy->indices.push_back(row);
      copy->values.push_back(static_cast<T>(sum));
    }
    copy->indptr.push_back(static_cast<I>(copy->indices.size()));
  }
  return copy;
}

}  // namespace

template <class T>
DenseColumns<T> to_columns(const DenseMatrix<T>& X, std::span<const Index> keep) {
  check_shape(X.rows, X.cols, sizeof(T));
  if (X.data == nullptr) refuse("X.data: is null; expected the address of the entries");
  if (keep.empty() && X.row_stride == 1 && X.col_stride >= X.rows) return {X.data, X.rows, X.cols, X.col_stride};
  if (!keep.empty()) check_entries(X);
  const auto rows = rows_or_all(keep, X.rows);
  const auto n = static_cast<Index>(rows.size());
  const std::shared_ptr<T[]> copy(new T[static_cast<std::size_t>(n) * static_cast<std::size_t>(X.cols)]);
  copy_blocked<T>(X, rows, copy.get());
  return {copy.get(), n, X.cols, n, copy};
}

template <class T, class I>
SparseColumns<T, I> to_columns(const SparseMatrix<T, I>& X, std::span<const Index> keep) {
  check_shape(X.rows, X.cols, 1);
  if (X.rows > std::numeric_limits<std::int32_t>::max())
    refuse(fmt::format("X: a sparse matrix of {} rows; expected at most {}", X.rows,
                       std::numeric_limits<std::int32_t>::max()));
  check_structure(X.rows, X.cols, X.indptr, X.indices, X.values.size());
  if (keep.empty() && sorted_and_unique(X)) return {X.rows, X.cols, X.indptr.data(), X.indices.data(), X.values.data()};
  if (!keep.empty()) check_entries(X);
  const auto rows = rows_or_all(keep, X.rows);
  const auto copy = tidy_copy<T, I>(X, rows);
  return {
      static_cast<Index>(rows.size()), X.cols, copy->indptr.data(), copy->indices.data(), copy->values.data(), copy};
}

template DenseColumns<double> to_columns(const DenseMatrix<double>&, std::span<const Index>);
template DenseColumns<float> to_columns(const DenseMatrix<float>&, std::span<const Index>);
template SparseColumns<double, std::int32_t> to_columns(const SparseMatrix<double, std::int32_t>&,
                                                        std::span<const Index>);
template SparseColumns<double, std::int64_t> to_columns(const SparseMatrix<double, std::int64_t>&,
                                                        std::span<const Index>);
template SparseColumns<float, std::int32_t> to_columns(const SparseMatrix<float, std::int32_t>&,
                                                       std::span<const Index>);
template SparseColumns<float, std::int64_t> to_columns(const SparseMatrix<float, std::int64_t>&,
                                                       std::span<const Index>);

}  // namespace ellzero::features
