// Proofs of problems that rounding makes hard: the checker proves what prove() claims, and never more than the truth.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "oracle/hard_problem.hpp"
#include "verify/claims.hpp"

namespace ellzero::testing {
namespace {

class HardProofs : public ::testing::TestWithParam<std::uint64_t> {};

struct Tally {
  int compared = 0;  ///< with a truth that enumeration has found to the last digit
  int closed = 0;    ///< gaps that were closed
};

void check(const SmallProblem& s, Tally& tally) {
  ProofCheck proof(s.dataset(), s.settings);
  const Result result = prove(s.dataset(), s.settings, nullptr, &proof);
  verify_objective(s.dataset(), s.settings, claim_of(result));
  proof.require(result.lower_bound);
  const auto optimum = oracle::PreciseEnumeration(s).solve();
  const auto truth = static_cast<double>(optimum.objective);
  const double rounding = 1e-15 * std::abs(truth);  // of the truth itself
  EXPECT_LE(proof.lower_bound(), truth + rounding);
  EXPECT_LE(result.lower_bound, truth + rounding);
  const bool closed = result.status == Status::Optimal;
  tally.closed += closed ? 1 : 0;
  if (!optimum.converged) return;
  ++tally.compared;
  EXPECT_GE(result.objective, truth - 1e-12 * std::abs(truth));
  if (closed) {
    EXPECT_LE(result.objective, truth + 2 * s.settings.gap * std::abs(truth));
  }
}

TEST_P(HardProofs, are_accepted_and_prove_no_more_than_the_truth) {
  std::mt19937_64 rng(GetParam());
  Tally tally;
  for (int k = 0; k < 300; ++k) {
    SmallProblem s = oracle::hard_problem(rng, k % 30 == 0 ? 10 : 6);
    s.settings.gap = 1e-7;
    SCOPED_TRACE("instance " + std::to_string(k) + ", " + s.settings.loss + ", p " + std::to_string(s.p) +
                 ", lambda1 " + std::to_string(s.settings.lambda1) + ", lambda2 " +
                 std::to_string(*s.settings.lambda2));
    try {
      check(s, tally);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(tally.compared, 150);
  EXPECT_GT(tally.closed, 200);
}

INSTANTIATE_TEST_SUITE_P(random, HardProofs, ::testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace ellzero::testing
