// The hash of fingerprint.hpp: columns add up their mixed entries, so that the order of entries does not matter.
#include "io/model/fingerprint.hpp"

#include <bit>
#include <span>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"

namespace ellzero::io::model {
namespace {

/// Every bit of the input changes half of the output (splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t entry(Index row, double value) {
  if (value == 0) return 0;
  return mixed(std::bit_cast<std::uint64_t>(value) ^ mixed(static_cast<std::uint64_t>(row)));
}

std::uint64_t vector_hash(std::span<const double> values, Index rows, double otherwise) {
  if (!values.empty() && static_cast<Index>(values.size()) != rows)
    throw Error(ErrorCode::Data,
                fmt::format("a vector has {} values; expected {}, one for each sample of X", values.size(), rows));
  std::uint64_t sum = 0;
  for (Index i = 0; i < rows; ++i) sum += entry(i, values.empty() ? otherwise : values[i]);
  return sum;
}

template <class T>
std::uint64_t column_hash(const DenseMatrix<T>& X, Index j) {
  std::uint64_t sum = 0;
  for (Index i = 0; i < X.rows; ++i) sum += entry(i, static_cast<double>(X.data[i * X.row_stride + j * X.col_stride]));
  return sum;
}

template <class T, class I>
std::uint64_t column_hash(const SparseMatrix<T, I>& X, Index j) {
  std::uint64_t sum = 0;
  for (I e = X.indptr[j]; e < X.indptr[j + 1]; ++e) sum += entry(X.indices[e], static_cast<double>(X.values[e]));
  return sum;
}

std::uint64_t column_hash(const FeatureSource* X, Index j) {
  const auto stored = static_cast<std::size_t>(X->stored(j));
  std::vector<double> values(stored);
  std::vector<std::int32_t> rows(X->is_sparse() ? stored : 0);
  X->read(j, X->is_sparse() ? rows.data() : nullptr, values.data());
  std::uint64_t sum = 0;
  for (std::size_t e = 0; e < stored; ++e) sum += entry(rows.empty() ? static_cast<Index>(e) : rows[e], values[e]);
  return sum;
}

}  // namespace

Fingerprint fingerprint(const Dataset& data) {
  const auto [rows, cols] = shape(data.X);
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(rows));
  const auto append = [&](std::uint64_t part) { hash = mixed(hash ^ part); };
  for (Index j = 0; j < cols; ++j) append(std::visit([&](const auto& X) { return column_hash(X, j); }, data.X));
  append(vector_hash(data.y, rows, 0));
  append(vector_hash(data.weights, rows, 1));
  append(vector_hash(data.offset, rows, 0));
  return {rows, cols, hash};
}

}  // namespace ellzero::io::model
