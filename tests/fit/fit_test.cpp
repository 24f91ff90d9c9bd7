// fit() against the truth by enumeration: bound <= optimum <= objective, no verdict contradicted, nearly always
// optimal.
#include "ellzero/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

struct Tally {
  int optimal = 0, all = 0, certified = 0, decided = 0;
};

void compare(const SmallProblem& s, const std::string& where, Tally& tally) {
  const auto optimum = oracle::Enumeration(s).solve();
  const Result result = fit(s.dataset(), s.settings);
  if (s.settings.k) {
    EXPECT_LE(static_cast<Index>(result.support.size()), *s.settings.k) << where;
  }
  const double slack = 1e-9 * (1 + std::abs(optimum.objective));  // the oracle's own descent stops this close
  EXPECT_LE(result.lower_bound, optimum.objective + slack) << where;
  EXPECT_LE(result.lower_bound, result.objective) << where;
  if (!optimum.converged) return;
  EXPECT_GE(result.objective, optimum.objective - slack) << where;
  for (Index j = 0; j < s.p; ++j) {
    const bool used = optimum.beta[j] != 0;
    if (result.verdicts[j] == Verdict::Never) {
      EXPECT_FALSE(used) << where << ", feature " << j;
    }
    if (result.verdicts[j] == Verdict::Always) {
      EXPECT_TRUE(used) << where << ", feature " << j;
    }
    tally.decided += result.verdicts[j] != Verdict::Undecided ? 1 : 0;
  }
  if (result.status == Status::Optimal) {
    ++tally.certified;
    EXPECT_LE(result.objective, optimum.objective * (1 + 2 * s.settings.gap) + slack) << where;
  }
  ++tally.all;
  tally.optimal += result.objective <= optimum.objective + 1e-7 * (1 + std::abs(optimum.objective)) ? 1 : 0;
}

class AgainstEnumeration : public testing::TestWithParam<int> {};

TEST_P(AgainstEnumeration, bounds_verdicts_and_objectives_hold) {
  std::mt19937_64 rng(static_cast<std::uint64_t>(GetParam()));
  Tally tally;
  for (int round = 0; round < 500; ++round)
    compare(oracle::random_problem(rng, 12),
            "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(round), tally);
  EXPECT_GT(tally.all, 400);
  EXPECT_GE(tally.optimal, tally.all * 95 / 100);
  EXPECT_GT(tally.certified, tally.all / 5);
  EXPECT_GT(tally.decided, tally.all / 2);
  RecordProperty("optimal", tally.optimal);
  RecordProperty("certified", tally.certified);
}

TEST_P(AgainstEnumeration, budgets_too) {
  std::mt19937_64 rng(static_cast<std::uint64_t>(100 + GetParam()));
  Tally tally;
  for (int round = 0; round < 200; ++round) {
    SmallProblem s = oracle::random_problem(rng, 9);
    s.settings.lambda0.reset();
    const auto least = s.settings.always.size();
    s.settings.k = static_cast<Index>(least + rng() % (static_cast<std::uint64_t>(s.p) + 1 - least));
    compare(s, "budget, seed " + std::to_string(GetParam()) + ", instance " + std::to_string(round), tally);
  }
  EXPECT_GT(tally.all, 150);
  EXPECT_GE(tally.optimal, tally.all * 95 / 100);
  RecordProperty("optimal", tally.optimal);
  RecordProperty("all", tally.all);
}

/// Stopped at once, the dual point is a poor one: what it proves must be true all the same.
TEST_P(AgainstEnumeration, a_run_that_is_stopped_at_once_claims_nothing_false) {
  std::mt19937_64 rng(static_cast<std::uint64_t>(200 + GetParam()));
  for (int round = 0; round < 300; ++round) {
    SmallProblem s = oracle::random_problem(rng, 8);
    for (double& y : s.y) y *= s.settings.loss == "squared" ? 10 : 1;
    s.settings.time_limit = 0;
    const auto optimum = oracle::Enumeration(s).solve();
    const Result result = fit(s.dataset(), s.settings);
    EXPECT_LE(result.lower_bound, optimum.objective * (1 + 1e-9)) << round;
    for (Index j = 0; j < s.p && optimum.converged; ++j)
      if (result.verdicts[j] != Verdict::Undecided) {
        EXPECT_EQ(result.verdicts[j] == Verdict::Always, optimum.beta[j] != 0) << round << ", feature " << j;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AgainstEnumeration, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace ellzero
