// The borrowed views of table.hpp.
#include "io/table/table.hpp"

#include <span>

#include <fmt/format.h>

namespace ellzero::io::table {
namespace {

Matrix view(const DenseTable& X) { return column_major(X.values.data(), X.rows, X.cols); }

template <class I>
Matrix view(const SparseTable<I>& X) {
  return SparseMatrix<double, I>{X.rows, X.cols, X.indptr, X.indices, X.values};
}

Matrix view(const NpyFile& X) {
  return std::visit([](const auto& matrix) -> Matrix { return matrix; }, X.matrix());
}

}  // namespace

Matrix Table::matrix() const {
  return std::visit([](const auto& matrix) { return view(matrix); }, X);
}

Index Table::rows() const { return shape(matrix()).rows; }

Index Table::cols() const { return shape(matrix()).cols; }

void Table::check_unchanged() const {
  if (const auto* file = std::get_if<NpyFile>(&X)) file->check_unchanged();
}

std::string Table::name(Index j) const { return names.empty() ? fmt::format("x{}", j) : names[j]; }

}  // namespace ellzero::io::table
