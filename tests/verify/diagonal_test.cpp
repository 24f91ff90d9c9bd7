// DiagonalCheck: both of its ways accept a diagonal up to the same size, and none beyond what is semidefinite.
#include "verify/diagonal.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "verify/claims.hpp"

namespace ellzero::testing {
namespace {

using verify::DiagonalCheck;
using verify::Sample;

/// The largest factor for the positive part of d that `accepts` takes, by bisection.
template <class Accepts>
double largest_factor(std::vector<double> d, Accepts&& accepts) {
  const auto scaled = [&](double factor) {
    auto result = d;
    for (double& value : result) value *= value > 0 ? factor : 1;
    return result;
  };
  double low = 0, high = 1e6;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (accepts(scaled(middle)) ? low : high) = middle;
  }
  return low;
}

TEST(DiagonalCheck, both_ways_agree) {
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 40; ++k) {
    SmallProblem s;
    s.n = 12;
    s.p = k % 2 == 0 ? 30 : 8;
    for (Index e = 0; e < s.n * s.p; ++e) s.x.push_back(normal(rng) + 3);
    for (Index i = 0; i < s.n; ++i) {
      s.y.push_back(normal(rng));
      s.weights.push_back(0.5 + static_cast<double>(rng() % 3));
    }
    s.settings.lambda0 = 1;
    s.settings.lambda2 = 10;
    s.settings.intercept = k % 3 != 0;
    s.settings.standardize = k % 4 < 2;
    const Sample sample(s.dataset(), s.settings);
    DiagonalCheck check(sample);
    std::vector<Index> features;
    std::vector<double> d;
    for (Index j = 0; j < s.p; ++j) {
      features.push_back(j);
      d.push_back(j < 5 ? 0.5 + static_cast<double>(rng() % 4) : -0.1 * static_cast<double>(1 + rng() % 20));
    }
    const double one = largest_factor(d, [&](const auto& tried) { return check.by_features(features, tried); });
    const double other = largest_factor(d, [&](const auto& tried) { return check.by_samples(features, tried); });
    EXPECT_GT(one, 0);
    EXPECT_NEAR(one, other, 1e-9 * one) << k;
  }
}

TEST(DiagonalCheck, two_columns_allow_their_smaller_eigenvalue) {
  SmallProblem s;
  s.n = 2;
  s.p = 2;
  s.x = {2, 0, 1, 2};  // X'X = [4 2; 2 5], eigenvalues (9 +- sqrt(17)) / 2
  s.y = {1, 2};
  s.settings.lambda0 = 1;
  s.settings.lambda2 = 0;
  s.settings.intercept = s.settings.standardize = false;
  const Sample sample(s.dataset(), s.settings);
  DiagonalCheck check(sample);
  const std::vector<Index> features = {0, 1};
  const double factor =
      largest_factor({1, 1}, [&](const auto& tried) { return check.leaves_semidefinite(features, tried); });
  EXPECT_NEAR(factor, (9 - std::sqrt(17.0)) / 2, 1e-12);
  EXPECT_LT(factor, (9 - std::sqrt(17.0)) / 2);
}

}  // namespace
}  // namespace ellzero::testing
