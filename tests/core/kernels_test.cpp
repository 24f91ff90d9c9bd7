// Kernels agree with long double sums within the error that rounding.hpp promises, for every length and instruction
// set.
#include "core/kernels.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/rounding.hpp"

namespace ellzero::core {
namespace {

const Index lengths[] = {0, 1, 2, 3, 7, 8, 9, 15, 31, 63, 64, 65, 127, 200, 1000, 4095, 4096, 4097, 140'000};

template <class T>
std::vector<T> random_vector(Index n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) x = static_cast<T>(normal(rng));
  return v;
}

template <class T>
void expect_dot(const T* x, std::span<const double> v) {
  long double exact = 0, x_square = 0, v_square = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    exact += static_cast<long double>(x[i]) * v[i];
    x_square += static_cast<long double>(x[i]) * x[i];
    v_square += static_cast<long double>(v[i]) * v[i];
  }
  const auto n = static_cast<Index>(v.size());
  const long double allowed = dot_error(n) * std::sqrt(x_square) * std::sqrt(v_square);
  EXPECT_LE(std::abs(dot(x, v) - exact), allowed) << "n = " << n << " with " << instruction_set();
}

/// Runs the test body once for every instruction set that this machine and this build share.
template <class Body>
void for_each_instruction_set(Body&& body) {
  for (std::int64_t rest = hwy::SupportedTargets() | HWY_STATIC_TARGET; rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(Kernels, dot_is_within_its_promised_error) {
  for_each_instruction_set([] {
    for (const Index n : lengths) {
      // One element past the start: no kernel may count on alignment.
      const auto v = random_vector<double>(n + 1, 1);
      const std::span<const double> tail(v.data() + 1, static_cast<std::size_t>(n));
      expect_dot(random_vector<double>(n + 1, 2).data() + 1, tail);
      expect_dot(random_vector<float>(n + 1, 3).data() + 1, tail);
    }
  });
}

TEST(Kernels, column_dots_are_the_dots_of_the_columns) {
  constexpr Index n = 333;
  const auto v = random_vector<double>(n, 1);
  const auto x = random_vector<double>(n * 7, 2);
  std::vector<const double*> columns(7);
  for (int c = 0; c < 7; ++c) columns[c] = x.data() + n * c;
  double out[7];
  column_dots<double>(columns, v, out);
  for (int c = 0; c < 7; ++c) EXPECT_EQ(out[c], dot(columns[c], std::span<const double>(v)));
}

template <class T>
void expect_dot_matrix(Index n) {
  constexpr std::size_t p = 5, q = 7;  // neither fills the kernel's blocks
  const auto x = random_vector<T>(n * static_cast<Index>(p), 2);
  const auto v = random_vector<double>(n * static_cast<Index>(q), 1);
  std::vector<const T*> columns;
  std::vector<const double*> vectors;
  for (std::size_t c = 0; c < p; ++c) columns.push_back(x.data() + static_cast<std::size_t>(n) * c);
  for (std::size_t k = 0; k < q; ++k) vectors.push_back(v.data() + static_cast<std::size_t>(n) * k);
  std::vector<double> together(p * q), alone(1);
  dot_matrix<T>(columns, vectors, n, together.data());
  for (std::size_t k = 0; k < q; ++k)
    for (std::size_t c = 0; c < p; ++c) {
      dot_matrix<T>({&columns[c], 1}, {&vectors[k], 1}, n, alone.data());
      EXPECT_EQ(together[k * p + c], alone[0]) << "n = " << n << " with " << instruction_set();
      long double exact = 0, x_square = 0, v_square = 0;
      for (Index i = 0; i < n; ++i) {
        const long double a = columns[c][i], b = vectors[k][i];
        exact += a * b;
        x_square += a * a;
        v_square += b * b;
      }
      EXPECT_LE(std::abs(alone[0] - exact), dot_error(n) * std::sqrt(x_square) * std::sqrt(v_square)) << n;
    }
}

TEST(Kernels, dot_matrix_is_as_exact_and_does_not_depend_on_its_company) {
  for_each_instruction_set([] {
    for (const Index n : lengths) {
      expect_dot_matrix<double>(n);
      expect_dot_matrix<float>(n);
    }
  });
}

TEST(Kernels, axpy_adds_a_multiple) {
  for_each_instruction_set([] {
    for (const Index n : lengths) {
      const auto x = random_vector<float>(n, 4);
      auto y = random_vector<double>(n, 5);
      const auto before = y;
      axpy(0.37, x.data(), std::span<double>(y));
      for (std::size_t i = 0; i < y.size(); ++i)
        ASSERT_NEAR(y[i], before[i] + 0.37 * static_cast<double>(x[i]), 4e-16 * (1 + std::abs(before[i]))) << n;
    }
  });
}

TEST(Kernels, centred_square_sum_does_not_cancel) {
  for_each_instruction_set([] {
    for (const Index n : lengths) {
      auto x = random_vector<double>(n, 6);
      for (double& xi : x) xi += 1e6;
      const auto w = random_vector<double>(n, 7);
      long double exact = 0, size = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double distance = static_cast<long double>(x[i]) - 1e6;
        exact += w[i] * distance * distance;
        size += std::abs(w[i]) * distance * distance;
      }
      EXPECT_NEAR(centred_square_sum(x.data(), w, 1e6), static_cast<double>(exact), static_cast<double>(1e-13 * size));
    }
  });
}

template <class T, class I>
void expect_sparse_dot() {
  std::mt19937_64 rng(8);
  for (const Index n : lengths) {
    const auto v = random_vector<double>(n + 1, 9);
    const auto values = random_vector<T>(n, 10);
    std::vector<I> rows;
    for (Index k = 0; k < n; ++k) rows.push_back(static_cast<I>(rng() % v.size()));
    long double exact = 0, size = 0;
    for (Index k = 0; k < n; ++k) {
      exact += static_cast<long double>(values[k]) * v[rows[k]];
      size += std::abs(static_cast<long double>(values[k]) * v[rows[k]]);
    }
    EXPECT_LE(std::abs(sparse_dot(values.data(), rows.data(), n, v.data()) - exact), dot_error(n) * size) << n;
  }
}

TEST(Kernels, sparse_dot_is_within_its_promised_error) {
  for_each_instruction_set([] {
    expect_sparse_dot<double, std::int32_t>();
    expect_sparse_dot<double, std::int64_t>();
    expect_sparse_dot<float, std::int32_t>();
    expect_sparse_dot<float, std::int64_t>();
  });
}

TEST(CompensatedSum, keeps_what_plain_addition_loses) {
  CompensatedSum sum, second;
  sum.add(1e100);
  sum.add(1.0);
  second.add(-1e100);
  second.add(2.0);
  sum.add(second);
  EXPECT_EQ(sum.value(), 3.0);
}

TEST(CompensatedSum, infinity_stays_infinity) {
  CompensatedSum sum;
  sum.add(1.0);
  sum.add(-std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum.value(), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ellzero::core
