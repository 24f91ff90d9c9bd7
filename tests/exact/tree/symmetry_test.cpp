// Symmetry breaking: which columns are multiples of one another, exactly, and prove() on data that is full of them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "ellzero/prove.hpp"
#include "ellzero/verify.hpp"
#include "exact/tree/symmetry.hpp"
#include "features/make_source.hpp"
#include "features/view.hpp"
#include "loss/squared.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

/// Three or four columns, and multiples of them up to p.
SmallProblem full_of_multiples(std::mt19937_64& rng) {
  auto s = oracle::random_problem(rng, 9);
  const std::vector<double> factors = {1, 1, -1, 2, -0.5, 3};
  for (Index j = 3 + static_cast<Index>(rng() % 2); j < s.p; ++j) {
    const auto from = static_cast<Index>(rng() % 3);
    const double factor = factors[rng() % factors.size()];
    for (Index i = 0; i < s.n; ++i) s.x[j * s.n + i] = factor * s.x[from * s.n + i];
  }
  s.settings.lambda2 = std::exp(2 * std::normal_distribution<double>()(rng) - 2);
  if (rng() % 3 != 0) {
    s.settings.lower.clear();
    s.settings.upper.clear();
  }
  if (rng() % 3 == 0) {
    const auto least = static_cast<Index>(s.settings.always.size());
    s.settings.k = least + static_cast<Index>(rng() % static_cast<std::uint64_t>(s.p - least + 1));
    s.settings.lambda0.reset();
  }
  s.settings.gap = 1e-7;
  return s;
}

class SymmetryBreaking : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SymmetryBreaking, keeps_the_optimum_and_proves_no_less) {
  std::mt19937_64 rng(GetParam());
  int optimal = 0;
  for (int k = 0; k < 150; ++k) {
    const std::string where = "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(k);
    const auto s = full_of_multiples(rng);
    const auto optimum = oracle::Enumeration(s).solve();
    const Result result = prove(s.dataset(), s.settings);
    const double slack = 1e-9 * (1 + std::abs(optimum.objective));
    EXPECT_LE(result.lower_bound, optimum.objective + slack) << where;
    if (!optimum.converged) continue;
    EXPECT_NEAR(result.objective, optimum.objective, 2e-7 * std::abs(optimum.objective) + slack) << where;
    optimal += result.status == Status::Optimal ? 1 : 0;
    if (result.status == Status::Optimal) continue;
    ProofCheck check(s.dataset(), s.settings);  // recording goes without symmetry
    EXPECT_NE(prove(s.dataset(), s.settings, nullptr, &check).status, Status::Optimal) << where;
  }
  EXPECT_GT(optimal, 100);
}

INSTANTIATE_TEST_SUITE_P(random, SymmetryBreaking, ::testing::Range<std::uint64_t>(0, 8));

/// Every column four times. A proof that is recorded goes without symmetry: its nodes are what there would be.
TEST(Symmetry, needs_fewer_nodes_where_columns_are_copies) {
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 40;
  s.p = 80;
  for (Index k = 0; k < s.n * 20; ++k) s.x.push_back(normal(rng));
  for (int copy = 1; copy < 4; ++copy)
    for (Index k = 0; k < s.n * 20; ++k) s.x.push_back(copy == 2 ? -s.x[k] : s.x[k]);
  for (Index i = 0; i < s.n; ++i) s.y.push_back(s.x[i] - s.x[s.n + i] + 0.5 * s.x[2 * s.n + i] + normal(rng));
  s.settings.lambda0 = 0.4;
  s.settings.lambda2 = 1;
  s.settings.gap = 1e-6;
  s.settings.threads = 1;
  const Result fast = prove(s.dataset(), s.settings);
  ProofCheck check(s.dataset(), s.settings);
  const Result slow = prove(s.dataset(), s.settings, nullptr, &check);
  EXPECT_EQ(fast.status, Status::Optimal);
  EXPECT_NEAR(fast.objective, slow.objective, 1e-9 * slow.objective);
  EXPECT_LT(2 * fast.nodes, slow.nodes);
  EXPECT_NO_THROW(check.require(slow.lower_bound));
}

exact::tree::Symmetry symmetry_of(const std::vector<double>& x, Index n, bool intercept, bool standardize) {
  const auto p = static_cast<Index>(x.size()) / n;
  const std::vector<double> ones(static_cast<std::size_t>(n), 1.0), zeros(ones.size(), 0.0);
  core::ThreadPool pool(1);
  const features::View source(features::make_source(column_major(x.data(), n, p), {}), ones, {intercept, standardize},
                              pool);
  const problem::Problem<loss::Squared> problem{source, {}, penalty::Penalty({1, 0, 1}), ones, ones, zeros, intercept};
  std::vector<Index> all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), Index{0});
  return exact::tree::find_symmetry(problem, all);
}

TEST(Symmetry, finds_multiples_and_puts_the_longest_first) {
  const std::vector<double> x = {1, 2, 4, /**/ 3, 6, 12, /**/ -1, -2, -4, /**/ 1, 2, 4.000000000000001, /**/ 0, 1, 0};
  const auto plain = symmetry_of(x, 3, false, false);
  ASSERT_EQ(plain.groups.size(), 1U);
  EXPECT_EQ(plain.groups[0], (std::vector<Index>{1, 0, 2}));
  for (const bool intercept : {false, true}) {
    const auto scaled =
        symmetry_of(x, 3, intercept, true);  // all of length 1, but 3 times a column is so with rounding
    ASSERT_EQ(scaled.groups.size(), 1U);
    EXPECT_EQ(scaled.groups[0], (std::vector<Index>{0, 2}));
  }
}

}  // namespace
}  // namespace ellzero
