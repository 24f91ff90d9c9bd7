// What users of path() count on: no point is worse than a single fit there, however the path was asked for.
#include "ellzero/path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "ellzero/fit.hpp"
#include "select/path_cases.hpp"

namespace ellzero {
namespace {

const char* const losses[] = {"squared", "logistic", "smoothed-hinge"};

/// fit() where the model of a path stands.
Result single(const SmallProblem& s, const Result& model) {
  Settings settings = s.settings;
  settings.lambda0_grid.clear();
  settings.lambda1_grid.clear();
  settings.lambda2_grid.clear();
  settings.lambda0 = model.lambda0;
  settings.k = model.k;
  settings.lambda1 = model.lambda1;
  settings.lambda2 = model.lambda2;
  return fit(s.dataset(), settings);
}

void expect_no_worse(const SmallProblem& s, const Path& path, const std::string& where) {
  for (const Result& model : path.models) {
    const Result alone = single(s, model);
    const double slack = 1e-9 * std::abs(alone.objective);
    EXPECT_LE(model.objective, alone.objective + slack)
        << where << ", lambda0 " << model.lambda0.value_or(-1) << ", k " << model.k.value_or(-1) << "; " << describe(s);
    EXPECT_GE(model.lower_bound, alone.lower_bound - slack) << where << "; " << describe(s);
    EXPECT_LE(model.lower_bound, model.objective) << where;
    EXPECT_EQ(model.gap, model.objective - model.lower_bound) << where;
    EXPECT_EQ(model.verdicts.size(), alone.verdicts.size()) << where;
    EXPECT_EQ(model.loss, alone.loss);
    EXPECT_EQ(model.n, alone.n);
  }
}

/// Every model is at least as good at its price as any other of its row.
void expect_no_envy(const SmallProblem& s, const Path& path, const std::string& where) {
  const auto size = [&](const Result& model) {
    auto count = static_cast<double>(s.settings.always.size());
    for (const Index j : model.support)
      count += std::count(s.settings.always.begin(), s.settings.always.end(), j) > 0 ? 0 : 1;
    return count;
  };
  for (const Result& a : path.models)
    for (const Result& b : path.models)
      if (a.lambda1 == b.lambda1 && a.lambda2 == b.lambda2) {
        const double at_a = b.objective + (*a.lambda0 - *b.lambda0) * size(b);
        EXPECT_LE(a.objective, at_a + 1e-9 * (std::abs(at_a) + *b.lambda0 * size(b))) << where << "; " << describe(s);
      }
}

std::vector<double> prices_of(const Path& path) {
  std::vector<double> prices;
  for (const Result& model : path.models) prices.push_back(*model.lambda0);
  return prices;
}

class PathLaws : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PathLaws, no_point_of_a_small_path_is_worse_than_a_single_fit) {
  std::mt19937_64 rng(GetParam());
  for (int k = 0; k < 60; ++k) {
    SmallProblem s = oracle::random_problem(rng, 12);
    s.settings.lambda0.reset();
    s.settings.lambda0_grid = random_prices(rng, 1 + static_cast<int>(rng() % 8));
    const std::string where = "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(k);
    const Path found = path(s.dataset(), s.settings);
    auto sorted = s.settings.lambda0_grid;
    std::sort(sorted.rbegin(), sorted.rend());
    EXPECT_EQ(prices_of(found), sorted) << where;
    expect_no_worse(s, found, where);
    if (*s.settings.lambda2 > 0) expect_no_envy(s, found, where);
  }
}

TEST_P(PathLaws, no_point_of_a_medium_path_is_worse_than_a_single_fit) {
  std::mt19937_64 rng(100 + GetParam());
  for (const char* loss : losses) {
    SmallProblem s = medium_problem(rng, loss);
    s.settings.lambda0_grid = {0.3, 4, 0.02, 1, 0.1, 2, 0.3, 0.6, 0.05, 8};
    const std::string where = "seed " + std::to_string(GetParam());
    const Path found = path(s.dataset(), s.settings);
    expect_no_worse(s, found, where);
    if (*s.settings.lambda2 > 0) expect_no_envy(s, found, where);
  }
}

TEST_P(PathLaws, no_point_of_a_grid_made_from_the_data_is_worse_than_a_single_fit) {
  std::mt19937_64 rng(200 + GetParam());
  for (const char* loss : losses) {
    SmallProblem s = medium_problem(rng, loss);
    s.settings.grid_size = 15;
    const Path found = path(s.dataset(), s.settings);
    expect_no_worse(s, found, "made");
    if (*s.settings.lambda2 > 0) expect_no_envy(s, found, "made");
  }
}

TEST_P(PathLaws, no_point_of_a_grid_in_two_or_three_dimensions_is_worse_than_a_single_fit) {
  std::mt19937_64 rng(300 + GetParam());
  for (int k = 0; k < 15; ++k) {
    SmallProblem s = k < 3 ? medium_problem(rng, losses[k]) : oracle::random_problem(rng, 10);
    s.settings.lambda0.reset();
    s.settings.lambda0_grid = random_prices(rng, 4);
    s.settings.lambda2_grid = {0.1, 1, 0.1, 0.03};
    if (k % 2 == 0) s.settings.lambda1_grid = {0, 0.2};
    const Path found = path(s.dataset(), s.settings);
    ASSERT_EQ(found.models.size(), 3U * 4U * (k % 2 == 0 ? 2U : 1U));
    EXPECT_EQ(found.models.front().lambda2, 1);
    EXPECT_EQ(found.models.back().lambda2, 0.03);
    expect_no_worse(s, found, "instance " + std::to_string(k));
    expect_no_envy(s, found, "instance " + std::to_string(k));
  }
}

TEST_P(PathLaws, no_point_of_a_budget_path_is_worse_than_a_single_fit) {
  std::mt19937_64 rng(400 + GetParam());
  for (int k = 0; k < 30; ++k) {
    SmallProblem s = k < 3 ? medium_problem(rng, losses[k]) : oracle::random_problem(rng, 10);
    s.settings.lambda0.reset();
    s.settings.k = std::min<Index>(s.p, 8);
    const Path found = path(s.dataset(), s.settings);
    ASSERT_EQ(found.models.size(), static_cast<std::size_t>(*s.settings.k) + 1 - s.settings.always.size());
    expect_no_worse(s, found, "budget, instance " + std::to_string(k));
    for (std::size_t m = 0; m < found.models.size(); ++m) {
      const Result& model = found.models[m];
      EXPECT_EQ(*model.k, static_cast<Index>(m + s.settings.always.size()));
      EXPECT_LE(static_cast<Index>(model.support.size()), *model.k);
      if (m > 0) {
        EXPECT_LE(model.objective, found.models[m - 1].objective * (1 + 1e-11)) << "instance " << k;
      }
    }
  }
}

TEST_P(PathLaws, relaxations_that_follow_one_another_are_those_of_single_fits) {
  std::mt19937_64 rng(500 + GetParam());
  for (int k = 0; k < 5; ++k) {
    SmallProblem s = tangled_problem(rng);
    s.settings.grid_size = 10;
    const std::string where = "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(k);
    const Path found = path(s.dataset(), s.settings);
    expect_no_worse(s, found, where);
    for (const Result& model : found.models)
      EXPECT_NEAR(model.lower_bound, single(s, model).lower_bound, 1e-8 * model.objective) << where;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PathLaws, ::testing::Values(1, 2, 3, 4));

void expect_same_bits(const Path& a, const Path& b, const std::string& where) {
  ASSERT_EQ(a.models.size(), b.models.size()) << where;
  EXPECT_EQ(a.status, b.status) << where;
  for (std::size_t m = 0; m < a.models.size(); ++m) {
    EXPECT_EQ(a.models[m].lambda0, b.models[m].lambda0) << where;
    EXPECT_EQ(a.models[m].objective, b.models[m].objective) << where;
    EXPECT_EQ(a.models[m].lower_bound, b.models[m].lower_bound) << where;
    EXPECT_EQ(a.models[m].support, b.models[m].support) << where;
    EXPECT_EQ(a.models[m].coefficients, b.models[m].coefficients) << where;
    EXPECT_EQ(a.models[m].intercept, b.models[m].intercept) << where;
    EXPECT_EQ(a.models[m].verdicts, b.models[m].verdicts) << where;
    EXPECT_EQ(a.models[m].status, b.models[m].status) << where;
  }
}

TEST(Path, same_bits_for_any_number_of_threads) {
  std::mt19937_64 rng(5);
  for (const char* loss : losses)
    for (const bool budget : {false, true}) {
      SmallProblem s = medium_problem(rng, loss);
      s.settings.grid_size = 12;
      if (budget) s.settings.k = 4;
      const Path one = path(s.dataset(), s.settings);
      for (const int threads : {2, 8}) {
        s.settings.threads = threads;
        expect_same_bits(one, path(s.dataset(), s.settings), loss);
      }
    }
}

TEST(Path, same_bits_for_any_order_of_the_values) {
  std::mt19937_64 rng(6);
  for (const char* loss : losses) {
    SmallProblem s = medium_problem(rng, loss);
    s.settings.lambda2_grid = {0.1, 1};
    s.settings.lambda0_grid = {4, 2, 1, 0.5, 0.25, 0.1};
    const Path down = path(s.dataset(), s.settings);
    std::reverse(s.settings.lambda0_grid.begin(), s.settings.lambda0_grid.end());
    std::reverse(s.settings.lambda2_grid.begin(), s.settings.lambda2_grid.end());
    expect_same_bits(down, path(s.dataset(), s.settings), loss);
    std::shuffle(s.settings.lambda0_grid.begin(), s.settings.lambda0_grid.end(), rng);
    expect_same_bits(down, path(s.dataset(), s.settings), loss);
  }
}

}  // namespace
}  // namespace ellzero
