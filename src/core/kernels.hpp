// The inner products and updates everything runs on; the fastest instruction set of the machine is picked at run time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/rounding.hpp"
#include "ellzero/dataset.hpp"

namespace ellzero::core {

/// out[c] = sum_i columns[c][i] v[i] for every column, accumulated in double.
template <class T>
void column_dots(std::span<const T* const> columns, std::span<const double> v, double* out);

/// sum_i x[i] v[i], accumulated in double.
template <class T>
double dot(const T* x, std::span<const double> v) {
  double result;
  column_dots(std::span<const T* const>(&x, 1), v, &result);
  return result;
}

/// out[k * columns.size() + c] = sum_i columns[c][i] v[k][i] over n rows, accumulated in double: fewer reads for each
/// product than column_dots() has. A product has the same bits whatever others it is asked for with.
template <class T>
void dot_matrix(std::span<const T* const> columns, std::span<const double* const> v, Index n, double* out);

/// sum_i w[i] (x[i] - mean)^2, accumulated in double.
template <class T>
double centred_square_sum(const T* x, std::span<const double> w, double mean);

/// y += c x
template <class T>
void axpy(double c, const T* x, std::span<double> y);

/// y += c x v, entry by entry
void axpy_product(double c, const double* x, std::span<const double> v, std::span<double> y);

/// sum_i (x[i] - origin) v[i], accumulated in double. Plain code: few columns are far from 0.
template <class T>
double dot_from(const T* x, std::span<const double> v, double origin) {
  constexpr Index lanes = 2 * dot_lanes;
  const auto n = static_cast<Index>(v.size());
  double total = 0;
  for (Index first = 0; first < n; first += dot_tile) {
    const Index last = std::min(n, first + dot_tile);
    double sums[lanes] = {};
    Index i = first;
    for (; i + lanes <= last; i += lanes)
      for (Index l = 0; l < lanes; ++l) sums[l] += (static_cast<double>(x[i + l]) - origin) * v[i + l];
    for (; i < last; ++i) sums[i % lanes] += (static_cast<double>(x[i]) - origin) * v[i];
    for (Index l = 1; l < lanes; ++l) sums[0] += sums[l];
    total += sums[0];
  }
  return total;
}

/// sum_k (values[k] - origin) v[rows[k]] over `count` stored entries, accumulated in double. Plain code, inlined:
/// columns are often too short to pay for a dispatch, and the gather instructions of wide vectors are slower than loads
/// one by one.
template <class T, class I>
double sparse_dot(const T* values, const I* rows, Index count, const double* v, double origin = 0) {
  double total = 0;
  if (count <= dot_short) {  // one loop, one branch to mispredict
    for (Index k = 0; k < count; ++k) total += (static_cast<double>(values[k]) - origin) * v[rows[k]];
    return total;
  }
  for (Index first = 0; first < count; first += dot_tile) {
    const Index last = count - first > dot_tile ? first + dot_tile : count;
    double sums[dot_lanes] = {};
    for (Index k = first; k < last; ++k) sums[k % dot_lanes] += (static_cast<double>(values[k]) - origin) * v[rows[k]];
    total += (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  return total;
}

/// The pairs (v, z, s, c) of one swap scan: where is (|v + r z| - l)_+^2 > 2 (s + z^2 q) (c + d)?
struct SwapScan {
  const double *v, *z, *s, *c;
  double r, l, q, d;
};
/// The first index in [from, to) where the inequality holds, or `to`.
Index first_swap(const SwapScan& scan, Index from, Index to);

/// Names the instruction set in use, for benchmarks and reports.
const char* instruction_set();

}  // namespace ellzero::core
