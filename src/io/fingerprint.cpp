// The hash of fingerprint.hpp: columns add up their mixed entries, so that the order of entries does not matter.
#include "io/fingerprint.hpp"

#include <bit>
#include <span>
#include <variant>

namespace ellzero::io {
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

}  // namespace

Fingerprint fingerprint(const Dataset& data) {
  return std::visit(
      [&](const auto& X) {
        std::uint64_t hash = mixed(static_cast<std::uint64_t>(X.rows));
        const auto append = [&](std::uint64_t part) { hash = mixed(hash ^ part); };
        for (Index j = 0; j < X.cols; ++j) append(column_hash(X, j));
        append(vector_hash(data.y, X.rows, 0));
        append(vector_hash(data.weights, X.rows, 1));
        append(vector_hash(data.offset, X.rows, 0));
        return Fingerprint{X.rows, X.cols, hash};
      },
      data.X);
}

}  // namespace ellzero::io
