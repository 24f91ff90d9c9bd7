// prove() against the truth by enumeration: the optimum is found, the bound closes on it from below, and the proof that
// is recorded shows it.
#include "ellzero/prove.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "ellzero/error.hpp"
#include "ellzero/verify.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

/// Whether branching can close the gap: without ridge or bounds the coefficients that separate classes have no best
/// size, and a bound may not exist (3.8).
bool closable(const SmallProblem& s) { return *s.settings.lambda2 > 0; }

/// With a record of the proof, which must show the bound that is claimed.
Result prove_and_verify(const SmallProblem& s, const std::string& where) {
  ProofCheck proof(s.dataset(), s.settings);
  Result result = prove(s.dataset(), s.settings, nullptr, &proof);
  try {
    proof.require(result.lower_bound);
  } catch (const Error& error) {
    ADD_FAILURE() << where << ": " << error.what();
  }
  return result;
}

void compare(SmallProblem s, const std::string& where, bool records, int& optimal, int& hoped) {
  const auto optimum = oracle::Enumeration(s).solve();
  s.settings.gap = 1e-7;
  s.settings.node_limit = 20000;
  const Result result = records ? prove_and_verify(s, where) : prove(s.dataset(), s.settings);
  const double slack = 1e-9 * (1 + std::abs(optimum.objective));
  EXPECT_LE(result.lower_bound, optimum.objective + slack) << where;
  EXPECT_LE(result.lower_bound, result.objective) << where;
  if (!optimum.converged) return;
  EXPECT_GE(result.objective, optimum.objective - slack) << where;
  if (!closable(s)) return;
  ++hoped;
  optimal += result.status == Status::Optimal ? 1 : 0;
  EXPECT_EQ(result.status, Status::Optimal)
      << where << ": " << result.objective << ", bound " << result.lower_bound << ", " << s.settings.loss
      << ", lambda1 " << s.settings.lambda1 << ", lambda2 " << *s.settings.lambda2 << " nodes " << result.nodes;
  EXPECT_LE(result.objective, optimum.objective + 2e-7 * std::abs(optimum.objective) + slack) << where;
}

/// The same problem with a budget in place of the price; always-in features count in it.
SmallProblem with_budget(SmallProblem s, std::mt19937_64& rng) {
  const auto least = static_cast<Index>(s.settings.always.size());
  s.settings.k = least + static_cast<Index>(rng() % static_cast<std::uint64_t>(s.p - least + 1));
  s.settings.lambda0.reset();
  return s;
}

class Prove : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Prove, finds_the_enumerated_optimum_and_closes_the_gap) {
  std::mt19937_64 rng(GetParam());
  int optimal = 0, hoped = 0;
  for (int k = 0; k < 375; ++k) {
    const SmallProblem s = oracle::random_problem(rng, k % 25 == 0 ? 14 : 10);
    compare(s, "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(k), k % 2 == 0, optimal, hoped);
  }
  EXPECT_GT(hoped, 200);
}

TEST_P(Prove, closes_the_gap_of_a_budget) {
  std::mt19937_64 rng(1000 + GetParam());
  int optimal = 0, hoped = 0;
  for (int k = 0; k < 100; ++k) {
    const SmallProblem s = with_budget(oracle::random_problem(rng, 9), rng);
    compare(s, "seed " + std::to_string(GetParam()) + ", budget " + std::to_string(k), k % 2 == 0, optimal, hoped);
  }
  EXPECT_GT(hoped, 50);
}

INSTANTIATE_TEST_SUITE_P(random, Prove, ::testing::Range<std::uint64_t>(0, 8));

}  // namespace
}  // namespace ellzero
