// The walk over prices in Gram space: its models are the best on their supports, nothing pays that it could have done,
// and nearly all of them are the best there are.
#include "select/gram_walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "fit/question.hpp"
#include "select/path_cases.hpp"
#include "select/refit.hpp"

namespace ellzero::select {
namespace {

using Squared = problem::Problem<loss::Squared>;

/// Work with the problem, which is of squared loss, without bounds and without l1 penalty.
template <class Work>
void with_squared(SmallProblem& s, Work&& work) {
  s.settings.loss = "squared";
  s.settings.lower.clear();
  s.settings.upper.clear();
  s.settings.lambda0 = 1;
  s.settings.lambda1 = 0;
  front::with_problem(s.dataset(), s.settings, [&]<class L>(const problem::Problem<L>& problem) {
    if constexpr (std::is_same_v<L, loss::Squared>) work(problem);
    return 0;
  });
}

Squared at(const Squared& problem, double lambda0) {
  auto priced = problem;
  const auto& lambdas = problem.penalty.lambdas();
  priced.penalty = problem.penalty.with({lambda0, lambdas.lambda1, lambdas.lambda2});
  return priced;
}

double objective(const Squared& problem, const problem::Coefficients& beta) {
  return problem::objective(problem, problem::predictor(problem, beta), beta);
}

std::vector<problem::Coefficients> row(GramWalk& walk, const Squared& problem, const std::vector<double>& prices) {
  return walk.row(problem.penalty.lambdas().lambda2, prices);
}

std::vector<double> falling_prices(std::mt19937_64& rng, int count) {
  auto prices = random_prices(rng, count);
  std::sort(prices.begin(), prices.end(), std::greater<>());
  return prices;
}

TEST(GramWalk, finds_nearly_every_best_model_of_small_problems) {
  std::mt19937_64 rng(5);
  int best = 0, all = 0;
  for (int instance = 0; instance < 150; ++instance) {
    SmallProblem s = oracle::random_problem(rng, 9);
    const auto prices = falling_prices(rng, 5);
    if (*s.settings.lambda2 == 0) continue;
    with_squared(s, [&](const Squared& problem) {
      core::Stop stop({}, nullptr);
      GramWalk walk(problem, stop);
      const auto models = row(walk, problem, prices);
      ASSERT_EQ(models.size(), prices.size());
      for (std::size_t m = 0; m < prices.size(); ++m) {
        const auto priced = at(problem, prices[m]);
        const double found = objective(priced, models[m]);
        const double on_support = solve::best_on_support(priced, models[m].support, stop).objective;
        EXPECT_LE(found, on_support * (1 + 1e-9)) << "instance " << instance << "; " << describe(s);
        s.settings.lambda0 = prices[m];
        const double optimum = oracle::Enumeration(s).solve().objective;
        EXPECT_GE(found, optimum * (1 - 1e-9)) << "instance " << instance << "; " << describe(s);
        best += found <= optimum * (1 + 1e-9) ? 1 : 0;
        ++all;
      }
    });
  }
  EXPECT_GT(all, 400);
  EXPECT_GE(best, 0.98 * all);
}

TEST(GramWalk, lets_in_whatever_would_enter_by_itself) {
  std::mt19937_64 rng(6);
  for (int instance = 0; instance < 10; ++instance) {
    SmallProblem s = medium_problem(rng, "squared");
    while (s.p < 500) {  // more than are candidates to begin with
      for (Index i = 0; i < s.n; ++i) s.x.push_back(std::normal_distribution<double>()(rng));
      ++s.p;
    }
    s.settings.lambda2 = 0.5;
    with_squared(s, [&](const Squared& problem) {
      core::Stop stop({}, nullptr);
      GramWalk walk(problem, stop);
      const std::vector<double> prices = {4, 2, 1, 0.5};
      const auto models = row(walk, problem, prices);
      for (std::size_t m = 0; m < prices.size(); ++m) {
        const auto alpha = problem::gradient(problem, problem::predictor(problem, models[m]));
        const double sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
        for (Index j = 0; j < s.p; ++j) {
          if (std::count(models[m].support.begin(), models[m].support.end(), j) > 0) continue;
          const double tau = problem.features.dot(j, alpha, sum);
          const double norm = problem.features.norm(j);
          const double gain = 0.5 * tau * tau / (norm * norm + 2 * 0.5);
          EXPECT_LE(gain, prices[m] * (1 + 1e-6)) << "instance " << instance << ", feature " << j;
        }
      }
    });
  }
}

TEST(GramWalk, refits_are_those_without_penalty_and_rows_learn_from_one_another) {
  std::mt19937_64 rng(7);
  for (int instance = 0; instance < 20; ++instance) {
    SmallProblem s = medium_problem(rng, "squared");
    with_squared(s, [&](const Squared& problem) {
      core::Stop stop({}, nullptr);
      GramWalk walk(problem, stop);
      const std::vector<double> prices = {3, 1.5};
      const auto first = walk.row(1, prices), second = walk.row(0.1, prices), again = walk.row(1, prices);
      for (std::size_t m = 0; m < prices.size(); ++m) {
        auto priced = problem;
        priced.penalty = problem.penalty.with({prices[m], 0, 1});
        EXPECT_LE(objective(priced, again[m]), objective(priced, first[m]) * (1 + 1e-9)) << "instance " << instance;
        const auto found = walk.refit(second[m].support);
        ASSERT_TRUE(found);
        const auto expected = refit(problem, second[m].support, stop);
        auto free = problem;
        free.penalty = problem.penalty.with({0, 0, 0});
        EXPECT_NEAR(objective(free, *found), expected.objective, 1e-8 * expected.objective) << "instance " << instance;
      }
    });
  }
}

}  // namespace
}  // namespace ellzero::select
