// ProofCheck on hand-made proofs: complete ones prove the enumerated optimum, no records whatever prove more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>

#include "verify/claims.hpp"

namespace ellzero::testing {
namespace {

/// With ridge, or with lasso alone, where the dual vector has to be scaled (3.8): branching can prove the optimum.
SmallProblem provable_problem(std::mt19937_64& rng, Index p, int number) {
  SmallProblem s = oracle::random_problem(rng, p);
  if (number % 5 == 1) {
    s.settings.lambda1 = std::max(s.settings.lambda1, 0.1);
    s.settings.lambda2 = 0;
  } else {
    s.settings.lambda2 = std::max(*s.settings.lambda2, 0.05);
  }
  if (number % 3 == 0) {
    s.settings.k = std::max<Index>(static_cast<Index>(s.settings.always.size()), number % 2 == 0 ? 1 : 2);
    s.settings.k = std::min<Index>(*s.settings.k, s.p);
    s.settings.lambda0.reset();
  }
  return s;
}

TEST(ProofCheck, enumerated_leaves_prove_the_optimum) {
  std::mt19937_64 rng(3);
  int compared = 0;
  for (int k = 0; k < 150; ++k) {
    const SmallProblem s = provable_problem(rng, 3, k);
    const auto optimum = oracle::Enumeration(s).solve();
    ProofCheck check(s.dataset(), s.settings);
    enumerate_leaves(s, check, [&](ProofPoint point) {
      if (s.settings.loss == "squared" && s.settings.intercept) point.intercept += 3;  // the mean is subtracted anyway
      check.on_point(point);
    });
    const double slack = 1e-8 * (1 + std::abs(optimum.objective));
    EXPECT_LE(check.lower_bound(), optimum.objective + slack) << k;
    if (!optimum.converged) continue;
    ++compared;
    EXPECT_GE(check.lower_bound(), optimum.objective - slack) << k << s.settings.loss;
  }
  EXPECT_GT(compared, 120);
}

TEST(ProofCheck, a_missing_leaf_leaves_its_node_open) {
  std::mt19937_64 rng(4);
  for (int k = 0; k < 60; ++k) {
    const SmallProblem s = provable_problem(rng, 3, k);
    ProofCheck whole(s.dataset(), s.settings), partial(s.dataset(), s.settings);
    enumerate_leaves(s, whole, [&](const ProofPoint& point) { whole.on_point(point); });
    int leaf = 0;
    enumerate_leaves(s, partial, [&](const ProofPoint& point) {
      if (leaf++ != k % 2) partial.on_point(point);
    });
    if (leaf < 2) continue;
    EXPECT_LE(partial.lower_bound(), s.settings.lambda0.value_or(0) * static_cast<double>(s.settings.always.size()));
    EXPECT_THROW(partial.require(whole.lower_bound()), Error);
    whole.require(whole.lower_bound());
    EXPECT_THROW(whole.require(whole.lower_bound() + 1e-6 * (1 + std::abs(whole.lower_bound()))), Error);
  }
}

/// Records drawn at random, as many of them as make sense: points, decisions, splits, diagonals.
class RandomProof {
 public:
  RandomProof(const SmallProblem& s, std::mt19937_64& rng) : s_(s), rng_(rng), check_(s.dataset(), s.settings) {
    for (Index j = 0; j < s.p; ++j) free_.push_back(is_decided(s, j) ? 0 : 1);
    diagonal_ = add_diagonal();
    explore(0, free_, 0);
  }
  ProofCheck& check() { return check_; }

 private:
  bool coin(double chance) { return std::uniform_real_distribution<double>()(rng_) < chance; }

  std::int64_t add_diagonal() {
    std::vector<Index> features;
    std::vector<double> d;
    for (Index j = 0; j < s_.p; ++j)
      if (!is_decided(s_, j) || oracle::Enumeration(s_).scale(j) != 0) {
        features.push_back(j);
        d.push_back(coin(0.5) ? 0.05 : -0.5 * *s_.settings.lambda2);
      }
    try {
      check_.on_diagonal(7, features, d);
      return 7;
    } catch (const Error&) {
      return -1;
    }
  }

  void explore(std::int64_t node, std::vector<int> free, int depth) {
    std::normal_distribution<double> normal;
    const int points = coin(0.2) ? 0 : 2;
    for (int k = 0; k < points; ++k) {
      Point base = best_within(s_, rng_());
      for (double& b : base.values) b += coin(0.3) ? 0.2 * normal(rng_) : 0;
      ProofPoint point = base.at(node);
      std::vector<Index> in, out;
      for (Index j = 0; j < s_.p; ++j)
        if (free[j] != 0 && coin(0.15)) {
          (coin(0.5) ? in : out).push_back(j);
          free[j] = 0;
        }
      point.in = in;
      point.out = out;
      point.diagonal = diagonal_ >= 0 && coin(0.4) ? diagonal_ : -1;
      check_.on_point(point);
    }
    std::vector<Index> left;
    for (Index j = 0; j < s_.p; ++j)
      if (free[j] != 0) left.push_back(j);
    if (left.empty() || depth == 3) return;
    const Index j = left[rng_() % left.size()];
    const std::int64_t with = next_++, without = next_++;
    check_.on_split(node, j, with, without);
    free[j] = 0;
    explore(without, free, depth + 1);
    explore(with, free, depth + 1);
  }

  const SmallProblem& s_;
  std::mt19937_64& rng_;
  ProofCheck check_;
  std::vector<int> free_;
  std::int64_t next_ = 1, diagonal_ = -1;
};

TEST(ProofCheck, no_records_prove_more_than_the_truth) {
  std::mt19937_64 rng(5);
  int proved = 0;
  for (int k = 0; k < 1500; ++k) {
    SmallProblem s = oracle::random_problem(rng, 5);
    if (k % 4 == 0) {
      s.settings.k = std::min<Index>(s.p, 1 + static_cast<Index>(s.settings.always.size()));
      s.settings.lambda0.reset();
    }
    const auto optimum = oracle::Enumeration(s).solve();
    RandomProof proof(s, rng);
    EXPECT_LE(proof.check().lower_bound(), optimum.objective + 1e-9 * (1 + std::abs(optimum.objective))) << k;
    proved += proof.check().lower_bound() > 0.2 * optimum.objective ? 1 : 0;
  }
  EXPECT_GT(proved, 150);  // the law above is not an empty one
}

class Nonsense : public ::testing::Test {
 protected:
  Nonsense() {
    std::mt19937_64 rng(6);
    do s = oracle::random_problem(rng, 4);
    while (s.p < 3 || s.settings.loss != "squared" || !s.settings.always.empty() || is_decided(s, 0));
    s.settings.lambda2 = 0.5;
    check.emplace(s.dataset(), s.settings);
    point = best_within(s, 7);
  }
  void expect_refused(const std::string& part, const ProofPoint& record) {
    try {
      check->on_point(record);
      FAIL() << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Numerical);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  SmallProblem s;
  std::optional<ProofCheck> check;
  Point point;
};

TEST_F(Nonsense, in_points_is_refused) {
  const std::vector<Index> zero = {0}, twice = {1, 1}, beyond = {s.p}, negative = {-1};
  ProofPoint record = point.at(3);
  expect_refused("node 3: is looked at before a split has made it", record);
  record = point.at(0);
  record.values = record.values.first(0);
  expect_refused("features without coefficients", record);
  record = point.at(0);
  record.out = beyond;
  expect_refused("names feature", record);
  record.out = negative;
  expect_refused("names feature -1", record);
  record.out = zero;
  record.in = zero;
  expect_refused("feature 0, which is decided already", record);
  record = point.at(0);
  record.diagonal = 2;
  expect_refused("diagonal 2, which is not there", record);
  auto values = point.values;
  values[0] = std::nan("");
  record = point.at(0);
  record.values = values;
  expect_refused("coefficient nan", record);
  record = point.at(0);
  record.closes = true;
  check->on_point(record);
  expect_refused("after it was closed", record);
}

TEST_F(Nonsense, in_splits_is_refused) {
  check->on_split(0, 1, 1, 2);
  EXPECT_THROW(check->on_split(0, 2, 3, 4), Error);  // split already
  EXPECT_THROW(check->on_split(1, 1, 3, 4), Error);  // decided above
  EXPECT_THROW(check->on_split(1, 2, 3, 3), Error);
  EXPECT_THROW(check->on_split(1, 2, 3, 2), Error);
  EXPECT_THROW(check->on_split(1, 2, 0, 5), Error);
  EXPECT_THROW(check->on_split(1, 2, -4, 5), Error);
  EXPECT_THROW(check->on_split(1, s.p, 3, 4), Error);
  EXPECT_THROW(check->on_split(9, 2, 3, 4), Error);
  check->on_split(1, 2, 3, 4);
  expect_refused("after it was split", point.at(0));
}

TEST_F(Nonsense, in_diagonals_is_refused) {
  const std::vector<Index> all = {0, 1, 2}, some = {0, 1}, twice = {1, 1};
  EXPECT_THROW(check->on_diagonal(1, some, std::vector<double>{0, -1.001}), Error);  // below -2 lambda2
  EXPECT_THROW(check->on_diagonal(1, some, std::vector<double>{0, 1e6}), Error);     // not semidefinite
  EXPECT_THROW(check->on_diagonal(1, twice, std::vector<double>{0, 0}), Error);
  EXPECT_THROW(check->on_diagonal(1, some, std::vector<double>{0}), Error);
  check->on_diagonal(1, some, std::vector<double>{-0.5, -0.5});
  EXPECT_THROW(check->on_diagonal(1, some, std::vector<double>{-0.5, -0.5}), Error);
  ProofPoint record = point.at(0);
  record.diagonal = 1;
  record.support = {};
  record.values = {};
  expect_refused("neither out nor on its diagonal", record);
}

}  // namespace
}  // namespace ellzero::testing
