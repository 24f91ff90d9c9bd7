// Compressed sparse columns in memory: borrowed where rows are sorted and unique, tidied on a copy where they are not.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/kernels.hpp"
#include "features/column.hpp"
#include "features/make_source.hpp"

namespace ellzero::features {
namespace {

/// Rows are sorted and unique in each column. The data is borrowed, or kept alive by `owner`.
template <class T, class I>
class SparseSource final : public FeatureSource {
 public:
  SparseSource(Index rows, Index cols, const I* indptr, const I* indices, const T* values,
               std::shared_ptr<const void> owner = nullptr)
      : rows_(rows), cols_(cols), indptr_(indptr), indices_(indices), values_(values), owner_(std::move(owner)) {}

  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return cols_; }
  [[nodiscard]] bool is_sparse() const override { return true; }
  [[nodiscard]] Index stored(Index j) const override { return Index{indptr_[j + 1]} - Index{indptr_[j]}; }

  void read(Index j, std::int32_t* rows, double* values) const override {
    for (I k = indptr_[j]; k < indptr_[j + 1]; ++k) *rows++ = static_cast<std::int32_t>(indices_[k]);
    for (I k = indptr_[j]; k < indptr_[j + 1]; ++k) *values++ = static_cast<double>(values_[k]);
  }

  void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const override {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Index j = columns[c];
      out[c] = core::sparse_dot(values_ + indptr_[j], indices_ + indptr_[j], stored(j), v.data());
    }
  }

  [[nodiscard]] double dot_from(Index j, double origin, std::span<const double> v) const override {
    return core::sparse_dot(values_ + indptr_[j], indices_ + indptr_[j], stored(j), v.data(), origin);
  }

  void square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                   std::span<const double> means, std::span<double> out) const override {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Index j = columns[c];
      out[c] = square_sum(values_ + indptr_[j], indices_ + indptr_[j], stored(j), w, total_weight, means[c]);
    }
  }

 private:
  Index rows_, cols_;
  const I* indptr_;
  const I* indices_;
  const T* values_;
  std::shared_ptr<const void> owner_;
};

/// Where rows are dropped, entries must be checked while rows are still counted as the user counts them.
template <class T, class I>
void check_entries(const SparseMatrix<T, I>& X) {
  for (Index j = 0; j < X.cols; ++j)
    for (I k = X.indptr[j]; k < X.indptr[j + 1]; ++k)
      if (!std::isfinite(X.values[k])) refuse_entry(X.indices[k], j, X.values[k]);
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

template <class T, class I>
std::shared_ptr<const FeatureSource> sparse_source(const SparseMatrix<T, I>& X, std::span<const Index> keep) {
  check_shape(X.rows, X.cols, 1);
  if (X.rows > std::numeric_limits<std::int32_t>::max())
    refuse(fmt::format("X: a sparse matrix of {} rows; expected at most {}", X.rows,
                       std::numeric_limits<std::int32_t>::max()));
  check_structure(X.rows, X.cols, X.indptr, X.indices, X.values.size());
  if (keep.empty() && sorted_and_unique(X))
    return std::make_shared<SparseSource<T, I>>(X.rows, X.cols, X.indptr.data(), X.indices.data(), X.values.data());
  if (!keep.empty()) check_entries(X);
  const auto rows = rows_or_all(keep, X.rows);
  const auto copy = tidy_copy<T, I>(X, rows);
  return std::make_shared<SparseSource<T, I>>(static_cast<Index>(rows.size()), X.cols, copy->indptr.data(),
                                              copy->indices.data(), copy->values.data(), copy);
}

template std::shared_ptr<const FeatureSource> sparse_source(const SparseMatrix<double, std::int32_t>&,
                                                            std::span<const Index>);
template std::shared_ptr<const FeatureSource> sparse_source(const SparseMatrix<double, std::int64_t>&,
                                                            std::span<const Index>);
template std::shared_ptr<const FeatureSource> sparse_source(const SparseMatrix<float, std::int32_t>&,
                                                            std::span<const Index>);
template std::shared_ptr<const FeatureSource> sparse_source(const SparseMatrix<float, std::int64_t>&,
                                                            std::span<const Index>);

}  // namespace ellzero::features
