// Proofs whose points are too coarse as they stand: the last digit of a coefficient matters, and the checker makes up
// for it. Each kind was refused before, most of the time.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "oracle/small_problem.hpp"
#include "verify/claims.hpp"

namespace ellzero::testing {
namespace {

/// Columns of a spread of 1 around `mean`, and a target that two of them make.
SmallProblem problem_at(std::mt19937_64& rng, double mean, const std::string& loss) {
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 20 + static_cast<Index>(rng() % 20);
  s.p = 4;
  for (Index e = 0; e < s.n * s.p; ++e) s.x.push_back(mean + normal(rng));
  for (Index i = 0; i < s.n; ++i) {
    const double t = s.x[i] - s.x[s.n + i] + 0.5 * normal(rng);
    s.y.push_back(loss == "squared" ? t : t > 0 ? 1 : loss == "logistic" ? 0 : -1);
  }
  s.settings.loss = loss;
  s.settings.lambda0 = 0.3;
  s.settings.lambda2 = 0.02;
  return s;
}

/// Whether there was something to prove.
bool expect_proved(const SmallProblem& s) {
  ProofCheck proof(s.dataset(), s.settings);
  const Result result = prove(s.dataset(), s.settings, nullptr, &proof);
  EXPECT_NO_THROW(proof.require(result.lower_bound));
  return result.lower_bound > 0;
}

TEST(FarProofs, columns_far_from_0_without_an_intercept_are_proved) {
  std::mt19937_64 rng(1);
  int proved = 0;
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    SmallProblem s = problem_at(rng, std::pow(10.0, 5 + 0.5 * (k % 3)), k % 2 == 0 ? "squared" : "logistic");
    s.settings.intercept = s.settings.standardize = false;
    if (k % 4 < 2) {
      s.settings.lambda0.reset();
      s.settings.k = 2;
    }
    proved += expect_proved(s) ? 1 : 0;
  }
  EXPECT_GT(proved, 10);
}

TEST(FarProofs, offsets_of_classes_far_from_0_are_proved) {
  std::mt19937_64 rng(2);
  std::normal_distribution<double> normal;
  int proved = 0;
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE(k);
    SmallProblem s = problem_at(rng, 0, "logistic");
    for (Index i = 0; i < s.n; ++i) s.offset.push_back(1e9 + normal(rng));
    if (k % 2 == 0) {
      s.settings.lambda1 = 0.1;
      s.settings.lambda2 = 0;
    }
    proved += expect_proved(s) ? 1 : 0;
  }
  EXPECT_GT(proved, 10);
}

TEST(FarProofs, columns_whose_squares_are_beyond_1e100_are_proved) {
  std::mt19937_64 rng(3);
  int proved = 0;
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    SmallProblem s = problem_at(rng, 0, "squared");
    for (double& x : s.x) x *= 1e55;
    s.settings.standardize = false;
    s.settings.lambda2 = 0;
    proved += expect_proved(s) ? 1 : 0;
  }
  EXPECT_GT(proved, 10);
}

}  // namespace
}  // namespace ellzero::testing
