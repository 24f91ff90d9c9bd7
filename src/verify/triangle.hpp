// Symmetric matrices by their lower triangle, and their plain Cholesky factorisation.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace ellzero::verify {

/// Row i has i + 1 numbers.
using Triangle = std::vector<std::vector<double>>;

inline Triangle zero_triangle(std::size_t m) {
  Triangle A(m);
  for (std::size_t i = 0; i < m; ++i) A[i].assign(i + 1, 0.0);
  return A;
}

/// The sum of the first `count` products, in four partial sums.
inline double plain_dot(const double* a, const double* b, std::size_t count) {
  double sum[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4)
    for (std::size_t l = 0; l < 4; ++l) sum[l] += a[k + l] * b[k + l];
  for (; k < count; ++k) sum[0] += a[k] * b[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Factorises in place, A = L L'; false where a pivot is not positive.
inline bool cholesky(Triangle& A) {
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double rest = A[i][j] - plain_dot(A[i].data(), A[j].data(), j);
      if (i == j && !(rest > 0)) return false;
      A[i][j] = i == j ? std::sqrt(rest) : rest / A[j][j];
    }
  return true;
}

/// x becomes the solution of L L' x = x.
inline void solve(const Triangle& L, std::vector<double>& x) {
  for (std::size_t i = 0; i < L.size(); ++i) x[i] = (x[i] - plain_dot(L[i].data(), x.data(), i)) / L[i][i];
  for (std::size_t i = L.size(); i-- > 0;) {
    x[i] /= L[i][i];
    for (std::size_t j = 0; j < i; ++j) x[j] -= L[i][j] * x[i];
  }
}

}  // namespace ellzero::verify
