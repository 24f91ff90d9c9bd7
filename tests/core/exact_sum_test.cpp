// Sums of a few numbers are right to their last digit however much cancels; so are products added to a pair.
#include "core/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/kernels.hpp"

namespace ellzero::core {
namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum.value();
}

TEST(ExactSum, nothing_is_lost_to_large_numbers_that_cancel) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e20, 1, -1e20}), 1);
  EXPECT_EQ(sum_of({1e60, 1e20, 1e-20, -1e60, -1e20}), 1e-20);
  EXPECT_EQ(sum_of({1e16, 1, 0x1p-52, -1e16, -1}), 0x1p-52);
  EXPECT_EQ(sum_of({0.1, 0.2, -0.1, -0.2}), 0);
}

TEST(ExactSum, any_order_gives_the_number_nearest_to_the_sum_or_its_neighbour) {
  std::mt19937_64 rng(1);
  std::uniform_int_distribution<int> digit(-(1 << 20), 1 << 20), exponent(0, 40);
  for (int round = 0; round < 20'000; ++round) {
    // Whole numbers below 2^62: integers add them up exactly.
    std::vector<double> terms;
    std::int64_t exact = 0;
    for (std::size_t k = 0; k < 7; ++k) {
      const std::int64_t term = std::int64_t{digit(rng)} << (exponent(rng) / 2);
      terms.push_back(static_cast<double>(term) * 0x1p18);
      exact += term << 18;
    }
    terms.push_back(static_cast<double>(digit(rng)));
    exact += static_cast<std::int64_t>(terms.back());
    for (int order = 0; order < 3; ++order) {
      EXPECT_EQ(sum_of(terms), static_cast<double>(exact)) << round;
      std::shuffle(terms.begin(), terms.end(), rng);
    }
  }
}

TEST(ExactSum, products_lose_nothing) {
  ExactSum sum;
  sum.add_product(1e35, 1.1);
  sum.add_product(3, 0.1);
  sum.add_product(-1.1, 1e35);
  EXPECT_EQ(sum.value(), std::fma(3, 0.1, 0.0));
  sum.add_product(-0.1, 3);
  EXPECT_EQ(sum.value(), 0);
}

TEST(Pair, products_keep_the_digits_that_cancel) {
  Pair sum;
  const double b = 1.1, x = 1e12 + 0.25;
  add_product(sum, b, x);
  add_product(sum, -b, 1e12);
  EXPECT_NEAR(sum.high + sum.low, 0.25 * b, 1e-16);
  add_product(sum, -b, 0.25);
  EXPECT_LE(std::abs(sum.high + sum.low), 1e12 * 0x1p-100);
}

TEST(DotFrom, differences_are_exact_and_their_products_within_the_error_of_a_dot_product) {
  std::mt19937_64 rng(2);
  std::normal_distribution<double> normal;
  for (const Index n : {1, 7, 8, 9, 1000, 4096, 4097, 20'000}) {
    const double origin = 1e9;
    std::vector<double> x(static_cast<std::size_t>(n)), v(x.size());
    long double exact = 0, xx = 0, vv = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = origin + normal(rng);
      v[i] = normal(rng);
      const long double distance = static_cast<long double>(x[i]) - origin;
      exact += distance * v[i];
      xx += distance * distance;
      vv += static_cast<long double>(v[i]) * v[i];
    }
    const auto allowed = static_cast<double>(dot_error(n) * std::sqrt(xx * vv));
    EXPECT_NEAR(dot_from(x.data(), v, origin), static_cast<double>(exact), allowed) << n;
    std::vector<std::int32_t> rows(x.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>(i);
    EXPECT_NEAR(sparse_dot(x.data(), rows.data(), n, v.data(), origin), static_cast<double>(exact), allowed) << n;
  }
}

}  // namespace
}  // namespace ellzero::core
