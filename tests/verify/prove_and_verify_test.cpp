// Proofs of prove() on random problems of every kind, checked while they are made: each proves the bound it claims.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "verify/claims.hpp"

namespace ellzero::testing {
namespace {

class ProveAndVerify : public ::testing::TestWithParam<std::uint64_t> {};

void check(const SmallProblem& s, const std::string& where) {
  ProofCheck proof(s.dataset(), s.settings);
  const Result result = prove(s.dataset(), s.settings, nullptr, &proof);
  verify_objective(s.dataset(), s.settings, claim_of(result));
  EXPECT_NO_THROW(proof.require(result.lower_bound)) << where;
}

TEST_P(ProveAndVerify, the_records_prove_the_claimed_bound) {
  std::mt19937_64 rng(GetParam());
  for (int k = 0; k < 100; ++k) {
    SmallProblem s = oracle::random_problem(rng, 10);
    s.settings.gap = k % 2 == 0 ? 1e-7 : 0;
    s.settings.node_limit = k % 3 == 0 ? 3 : 20000;  // stopped early: open nodes count with what is known of them
    const std::string where = "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(k) + ", " +
                              s.settings.loss + ", lambda2 " + std::to_string(*s.settings.lambda2);
    try {
      check(s, where);
    } catch (const Error& error) {
      ADD_FAILURE() << where << ": " << error.what();
    }
  }
}

/// Twelve features that are in for certain and leave the search early, beside many that are hard to decide.
SmallProblem with_certain_features(std::mt19937_64& rng, bool lambda1) {
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 80;
  s.p = 40;
  for (Index i = 0; i < s.n * s.p; ++i) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) {
    double signal = normal(rng);
    for (Index j = 0; j < s.p; ++j) signal += (j < 12 ? 5 : 0.25) * s.x[j * s.n + i];
    s.y.push_back(signal);
  }
  s.settings.lambda0 = 4;
  s.settings.lambda1 = lambda1 ? 0.5 : 0;
  s.settings.lambda2 = 2;
  s.settings.standardize = false;
  s.settings.threads = 1;
  s.settings.gap = 1e-8;
  return s;
}

TEST(Eliminated, recording_changes_nothing_where_features_are_eliminated) {
  for (int k = 0; k < 10; ++k) {
    std::mt19937_64 rng(k);
    SmallProblem s = with_certain_features(rng, k % 2 == 1);
    if (k > 7) s.settings.node_limit = 40;
    check(s, std::to_string(k));
    ProofCheck proof(s.dataset(), s.settings);
    const Result recorded = prove(s.dataset(), s.settings, nullptr, &proof), plain = prove(s.dataset(), s.settings);
    EXPECT_EQ(recorded.nodes, plain.nodes) << k;
    EXPECT_EQ(recorded.objective, plain.objective) << k;
    EXPECT_GT(recorded.nodes, 10) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(random, ProveAndVerify, ::testing::Range<std::uint64_t>(0, 7));

}  // namespace
}  // namespace ellzero::testing
