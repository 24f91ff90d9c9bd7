// Picks the storage, and checks what all storages have in common.
#include "features/make_source.hpp"

#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "features/lent_columns.hpp"

namespace ellzero {

Shape shape(const Matrix& X) {
  return std::visit(
      []<class M>(const M& matrix) {
        if constexpr (std::is_pointer_v<M>) return Shape{matrix->rows(), matrix->cols()};
        else return Shape{matrix.rows, matrix.cols};
      },
      X);
}

}  // namespace ellzero

namespace ellzero::features {
namespace {

struct Make {
  std::span<const Index> keep;

  template <class T>
  std::shared_ptr<const FeatureSource> operator()(const DenseMatrix<T>& X) const {
    return dense_source(X, keep);
  }
  template <class T, class I>
  std::shared_ptr<const FeatureSource> operator()(const SparseMatrix<T, I>& X) const {
    return sparse_source(X, keep);
  }
  std::shared_ptr<const FeatureSource> operator()(const FeatureSource* X) const {
    check_shape(X->rows(), X->cols(), 1);
    std::shared_ptr<const FeatureSource> borrowed(X, [](const FeatureSource*) {});
    if (keep.empty()) return borrowed;
    // Columns that are lent are there to be copied; others may be multiplied in ways that need all their rows.
    if (const auto* lender = dynamic_cast<const ColumnSource*>(X)) return std::make_shared<LentColumns>(*lender, keep);
    return masked_source(std::move(borrowed), keep);
  }
};

}  // namespace

std::shared_ptr<const FeatureSource> make_source(const Matrix& X, std::span<const Index> keep) {
  return std::visit(Make{keep}, X);
}

void refuse(const std::string& message) { throw Error(ErrorCode::Data, message); }

void refuse_entry(Index i, Index j, double x) {
  refuse(fmt::format("X: row {}, column {} is {}; expected a finite number", i, j, x));
}

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

}  // namespace ellzero::features
