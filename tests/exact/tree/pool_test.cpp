// pool() against the truth by enumeration: no support within the margin is missing, none beyond it is listed, and
// limits are told honestly.
#include "ellzero/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "ellzero/error.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::inf;
using oracle::SmallProblem;

constexpr Index plenty = 1 << 14;

std::uint64_t code_of(const std::vector<Index>& support) {
  std::uint64_t code = 0;
  for (const Index j : support) code |= std::uint64_t{1} << j;
  return code;
}

/// What enumeration says: the objective of every support, as if all of it was used.
struct EveryModel {
  std::map<std::uint64_t, double> values;
  std::uint64_t always = 0;
  double best = inf;
  bool converged = true;
};

EveryModel enumerate(const SmallProblem& s) {
  EveryModel truth;
  for (const Index j : s.settings.always) truth.always |= std::uint64_t{1} << j;
  oracle::Enumeration(s).for_each_support([&](std::uint64_t support, const oracle::Enumeration::Optimum& at) {
    truth.converged = truth.converged && at.converged;
    truth.best = std::min(truth.best, at.objective);
    double value = at.objective;
    for (Index j = 0; j < s.p; ++j)
      if (((support & ~truth.always) >> j & 1) != 0 && at.beta[j] == 0) value += s.settings.lambda0.value_or(0);
    truth.values[support] = value;
  });
  return truth;
}

/// Whether some feature of a support gains nothing: its best coefficient is 0, or may be 0, or is so small that
/// rounding decides.
bool is_smaller_one(const SmallProblem& s, const EveryModel& truth, std::uint64_t support) {
  for (Index j = 0; j < s.p; ++j) {
    const auto without = truth.values.find(support & ~(std::uint64_t{1} << j));
    if (((support & ~truth.always) >> j & 1) == 0) continue;
    const double value = truth.values.at(support);
    if (without->second + s.settings.lambda0.value_or(0) <= value + 1e-10 * (1 + std::abs(value))) return true;
  }
  return false;
}

/// A duplicate, a column with the other sign, or a sum of two others.
void make_collinear(SmallProblem& s, std::mt19937_64& rng) {
  if (s.p < 4) return;
  const auto kind = rng() % 4;
  for (Index i = 0; i < s.n; ++i) {
    if (kind == 0) s.x[3 * s.n + i] = s.x[s.n + i];
    if (kind == 1) s.x[3 * s.n + i] = -s.x[s.n + i];
    if (kind == 2) s.x[3 * s.n + i] = s.x[s.n + i] + s.x[2 * s.n + i];
  }
}

SmallProblem random_case(std::mt19937_64& rng, Index largest_p, bool budget) {
  auto s = oracle::random_problem(rng, largest_p);
  make_collinear(s, rng);
  if (!budget) return s;
  const auto least = static_cast<Index>(s.settings.always.size());
  s.settings.k = least + static_cast<Index>(rng() % static_cast<std::uint64_t>(s.p - least + 1));
  s.settings.lambda0.reset();
  return s;
}

/// The laws of a list that ended without a limit; returns whether it is complete.
bool compare(const SmallProblem& s, double margin, const std::string& where) {
  const EveryModel truth = enumerate(s);
  if (!truth.converged) return false;  // there is no truth to compare with
  const Pool found = pool(s.dataset(), s.settings, {margin, plenty});
  EXPECT_FALSE(found.cut) << where;
  const double slack = 1e-8 * (1 + std::abs(truth.best));
  const double last = truth.best + margin * std::abs(truth.best);
  std::set<std::uint64_t> listed;
  double before = -inf;
  for (const Result& model : found.models) {
    const auto code = code_of(model.support) | truth.always;
    EXPECT_TRUE(listed.insert(code).second) << where << ": listed twice";
    EXPECT_GE(model.objective, before) << where << ": not in order";
    EXPECT_LE(model.objective, last + slack) << where << ": beyond the margin";
    EXPECT_LE(model.lower_bound, model.objective) << where;
    EXPECT_NEAR(model.objective, truth.values.at(code), slack) << where;
    before = model.objective;
  }
  for (const auto& [code, value] : truth.values) {
    if (listed.contains(code) || is_smaller_one(s, truth, code)) continue;
    EXPECT_GE(value, last - slack) << where << ": support " << code << " is missing; " << s.settings.loss << ", best "
                                   << truth.best << ", p " << s.p << ", lambda2 " << *s.settings.lambda2;
    EXPECT_GE(value, found.beyond - slack) << where << ": beyond is no bound";
  }
  if (*s.settings.lambda2 > 0) {
    EXPECT_TRUE(found.complete) << where << ": beyond " << found.beyond << ", margin " << last << ' '
                                << s.settings.loss;
    EXPECT_EQ(found.status, Status::Optimal) << where;
  }
  return found.complete;
}

class PoolLaws : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PoolLaws, lists_every_support_within_the_margin) {
  std::mt19937_64 rng(GetParam());
  int complete = 0;
  for (int k = 0; k < 150; ++k) {
    const bool budget = k % 3 == 0;
    const auto s = random_case(rng, k % 30 == 1 ? 12 : 8, budget);
    const double margin = std::vector<double>{0, 1e-3, 0.05, 0.3}[rng() % 4];
    complete += compare(s, margin, "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(k)) ? 1 : 0;
  }
  EXPECT_GT(complete, 80);
}

TEST_P(PoolLaws, keeps_the_best_ones_where_there_are_too_many) {
  std::mt19937_64 rng(100 + GetParam());
  int cut = 0;
  for (int k = 0; k < 20; ++k) {
    auto s = random_case(rng, 7, k % 3 == 0);
    s.settings.lambda2 = 0.1;
    const auto all = pool(s.dataset(), s.settings, {0.3, plenty});
    const auto size = 1 + static_cast<Index>(rng() % 6);
    const auto some = pool(s.dataset(), s.settings, {0.3, size});
    const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(size), all.models.size());
    ASSERT_EQ(some.models.size(), wanted);
    EXPECT_EQ(some.cut, all.models.size() > wanted);
    EXPECT_EQ(some.complete, !some.cut);
    EXPECT_EQ(some.status, Status::Optimal);
    cut += some.cut ? 1 : 0;
    const double slack = 1e-10 * (1 + std::abs(all.models[0].objective));
    for (std::size_t m = 0; m < wanted; ++m) EXPECT_NEAR(some.models[m].objective, all.models[m].objective, slack);
    EXPECT_GE(some.beyond, some.models.back().objective - slack);
  }
  EXPECT_GT(cut, 3);
}

INSTANTIATE_TEST_SUITE_P(random, PoolLaws, ::testing::Range<std::uint64_t>(0, 10));

/// Twelve features of which four explain y, more or less.
SmallProblem twelve() {
  std::mt19937_64 rng(7);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 30;
  s.p = 12;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) s.y.push_back(s.x[i] + s.x[s.n + i] - s.x[2 * s.n + i] + normal(rng));
  s.settings.lambda0 = 0.5;
  s.settings.lambda2 = 0.1;
  s.settings.threads = 1;
  return s;
}

TEST(Pool, tells_what_is_certain_when_a_limit_of_nodes_strikes) {
  auto s = twelve();
  s.settings.gap = 0;
  const auto all = pool(s.dataset(), s.settings, {0.3, plenty});
  ASSERT_TRUE(all.complete);
  for (const Index limit : {0, 1, 300}) {
    s.settings.node_limit = limit;
    const auto some = pool(s.dataset(), s.settings, {0.3, plenty});
    EXPECT_EQ(some.status, Status::NodeLimit);
    EXPECT_FALSE(some.complete);
    std::set<std::vector<Index>> listed;
    for (const Result& model : some.models) listed.insert(model.support);
    for (const Result& model : all.models)
      EXPECT_TRUE(listed.contains(model.support) || model.objective >= some.beyond * (1 - 1e-12));
    for (const Result& model : some.models) {
      const bool certain = model.objective <= some.beyond * (1 + 1e-11);
      EXPECT_EQ(model.status, certain ? Status::Optimal : Status::NodeLimit);
    }
  }
}

TEST(Pool, ends_with_what_it_has_when_time_is_up) {
  auto s = twelve();
  s.settings.time_limit = 0;
  const auto found = pool(s.dataset(), s.settings, {0.5, plenty});
  EXPECT_EQ(found.status, Status::TimeLimit);
  EXPECT_FALSE(found.complete);
  ASSERT_FALSE(found.models.empty());
  s.settings.time_limit.reset();
  EXPECT_LE(found.beyond, pool(s.dataset(), s.settings, {0.5, plenty}).models[0].objective);
}

TEST(Pool, is_the_same_for_any_number_of_threads) {
  auto s = twelve();
  const auto one = pool(s.dataset(), s.settings, {0.2, 50});
  s.settings.threads = 3;
  const auto three = pool(s.dataset(), s.settings, {0.2, 50});
  ASSERT_EQ(one.models.size(), three.models.size());
  for (std::size_t m = 0; m < one.models.size(); ++m) {
    EXPECT_EQ(one.models[m].support, three.models[m].support);
    EXPECT_EQ(one.models[m].objective, three.models[m].objective);
  }
}

TEST(Pool, lists_far_features_where_there_are_many) {  // more than a subtree holds side by side
  std::mt19937_64 rng(11);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 40;
  s.p = 400;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) s.y.push_back(3 * s.x[i] + normal(rng));
  s.settings.lambda0 = 8;
  s.settings.lambda2 = 0.1;
  s.settings.threads = 1;
  for (const std::optional<Index> k : {std::optional<Index>(), std::optional<Index>(1)}) {
    s.settings.k = k;
    if (k) s.settings.lambda0.reset();
    const auto found = pool(s.dataset(), s.settings, {0.15, plenty});
    EXPECT_TRUE(found.complete);
    std::set<std::vector<Index>> listed;
    for (const Result& model : found.models) listed.insert(model.support);
    const double last = 1.15 * found.models[0].objective;
    int within = 0;
    for (Index j = 0; j < s.p; ++j) {
      SmallProblem alone = s;
      alone.p = 1;
      alone.x.assign(s.x.begin() + j * s.n, s.x.begin() + (j + 1) * s.n);
      oracle::Enumeration(alone).for_each_support([&](std::uint64_t support, const auto& at) {
        if (support == 0 || std::abs(at.objective - last) < 1e-8 * last) return;
        EXPECT_EQ(listed.contains({j}), at.objective < last) << j;
        within += at.objective < last ? 1 : 0;
      });
    }
    EXPECT_GT(within, 0);
  }
}

TEST(Pool, refuses_what_makes_no_sense) {
  const auto s = twelve();
  for (const double margin : {-0.1, std::nan(""), inf})
    EXPECT_THROW(pool(s.dataset(), s.settings, {margin, 10}), Error);
  EXPECT_THROW(pool(s.dataset(), s.settings, {0.1, 0}), Error);
}

}  // namespace
}  // namespace ellzero
