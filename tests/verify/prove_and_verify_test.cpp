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

INSTANTIATE_TEST_SUITE_P(random, ProveAndVerify, ::testing::Range<std::uint64_t>(0, 7));

}  // namespace
}  // namespace ellzero::testing
