// Weak duality in floating point: no reported bound is above the objective of any point, nor above the enumerated
// optimum.
#include "problem/dual.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "fit/question.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero::problem {
namespace {

using oracle::Enumeration;
using oracle::SmallProblem;

Coefficients to_coefficients(const std::vector<double>& beta, double intercept) {
  Coefficients c{intercept};
  for (std::size_t j = 0; j < beta.size(); ++j)
    if (beta[j] != 0) {
      c.support.push_back(static_cast<Index>(j));
      c.values.push_back(beta[j]);
    }
  return c;
}

std::vector<double> random_inside_the_box(const Enumeration& e, const SmallProblem& s, std::mt19937_64& rng) {
  std::normal_distribution<double> normal;
  std::vector<double> beta;
  for (Index j = 0; j < s.p; ++j) {
    const double b = rng() % 2 == 0 ? 0 : normal(rng);
    // Not at its very end, which the oracle and the library may round differently.
    beta.push_back(e.scale(j) == 0 ? 0 : 0.999 * std::clamp(b, e.lo(j), e.hi(j)));
  }
  return beta;
}

TEST(Duality, objective_is_the_definition) {
  std::mt19937_64 rng(1);
  for (int round = 0; round < 2000; ++round) {
    const SmallProblem s = oracle::random_problem(rng, 10);
    const Enumeration e(s);
    const auto beta = random_inside_the_box(e, s, rng);
    const double expected = e.objective(beta, s.settings.intercept ? 0.3 : 0);
    front::with_problem(s.dataset(), s.settings, [&](const auto& problem) {
      const auto c = to_coefficients(beta, s.settings.intercept ? 0.3 - problem.given.shift : 0);
      EXPECT_NEAR(objective(problem, predictor(problem, c), c), expected, 1e-11 * (1 + expected)) << round;
    });
  }
}

TEST(Duality, every_dual_point_bounds_every_primal_point) {
  std::mt19937_64 rng(2);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 5000; ++round) {
    const SmallProblem s = oracle::random_problem(rng, 10);
    const Enumeration e(s);
    front::with_problem(s.dataset(), s.settings, [&](const auto& problem) {
      std::vector<double> u;
      for (Index i = 0; i < s.n; ++i) u.push_back(3 * normal(rng));
      const double bound = lower_bound(problem, dual_point(problem, u));
      for (int k = 0; k < 5; ++k) {
        const auto beta = random_inside_the_box(e, s, rng);
        const double intercept = s.settings.intercept ? std::exp(3 * normal(rng)) * normal(rng) : 0;
        EXPECT_LE(bound, e.objective(beta, intercept)) << round;
      }
    });
  }
}

TEST(Duality, best_intercept_is_best) {
  std::mt19937_64 rng(3);
  for (int round = 0; round < 2000; ++round) {
    SmallProblem s = oracle::random_problem(rng, 6);
    s.settings.intercept = true;
    const Enumeration e(s);
    const auto beta = random_inside_the_box(e, s, rng);
    front::with_problem(s.dataset(), s.settings, [&](const auto& problem) {
      const double b0 = best_intercept(problem, predictor(problem, to_coefficients(beta, 0))) + problem.given.shift;
      const double best = e.objective(beta, b0);
      for (const double move : {1e-5, 1e-3, 0.1, 10.0}) {
        EXPECT_LE(best, e.objective(beta, b0 + move) + 1e-13 * best) << round;
        EXPECT_LE(best, e.objective(beta, b0 - move) + 1e-13 * best) << round;
      }
    });
  }
}

/// A plain cyclic descent on the relaxation: its end is the dual optimum, where bounds are tightest and mistakes show.
template <class P>
Coefficients descend_relaxation(const P& problem, int cycles) {
  std::vector<Index> all;
  for (Index j = 0; j < problem.features.cols(); ++j) all.push_back(j);
  const auto active = problem.features.gather(all);
  std::vector<double> u(problem.offset.begin(), problem.offset.end()), gradient(u.size());
  Coefficients beta{0, all, std::vector<double>(all.size(), 0.0)};
  for (int cycle = 0; cycle < cycles; ++cycle) {
    for (const Index j : all) {
      const double L = problem.features.norm(j) * problem.features.norm(j) / problem.loss.mu();
      if (L == 0) continue;
      double sum = 0, shift = 0;
      for (std::size_t i = 0; i < u.size(); ++i)
        sum += gradient[i] = problem.weights[i] * problem.loss.derivative(u[i], problem.y[i]);
      const double tau = active.dot(j, gradient) - active.centre(j) * sum;
      const double next = problem.penalty[j].relaxed_step(L, L * beta.values[j] - tau);  // (4.3)
      active.axpy(j, next - beta.values[j], u);
      shift -= (next - beta.values[j]) * active.centre(j);
      for (double& ui : u) ui += shift;
      beta.values[j] = next;
    }
    if (!problem.intercept) continue;
    const double b = best_intercept(problem, u);
    beta.intercept += b;
    for (double& ui : u) ui += b;
  }
  return beta;
}

TEST(Duality, bound_is_never_above_the_enumerated_optimum) {
  std::mt19937_64 rng(4);
  int tight = 0, closed = 0;
  for (int round = 0; round < 1000; ++round) {
    const SmallProblem s = oracle::random_problem(rng, 10);
    const Enumeration e(s);
    const auto optimum = e.solve();
    front::with_problem(s.dataset(), s.settings, [&](const auto& problem) {
      double best = -oracle::inf;
      for (const int cycles : {0, 1, 5, 300}) {
        const double bound =
            lower_bound(problem, dual_point(problem, predictor(problem, descend_relaxation(problem, cycles))));
        // The enumeration's own descent stops within rounding of the optimum of each support.
        EXPECT_LE(bound, optimum.objective + 1e-12 * (1 + optimum.objective)) << "instance " << round;
        best = std::max(best, bound);
      }
      const double b0 = optimum.intercept + e.shift() - problem.given.shift;
      const auto at_optimum = predictor(problem, to_coefficients(optimum.beta, b0));
      EXPECT_LE(lower_bound(problem, dual_point(problem, at_optimum)), optimum.objective * (1 + 1e-12)) << round;
      tight += best > 0.5 * optimum.objective ? 1 : 0;
      closed += best > (1 - 1e-6) * optimum.objective ? 1 : 0;
    });
  }
  // Bounds that were always 0 would pass the test above; these are not.
  EXPECT_GT(tight, 600);
  EXPECT_GT(closed, 200);
}

TEST(Duality, convex_problems_close_the_gap) {
  std::mt19937_64 rng(5);
  for (int round = 0; round < 300; ++round) {
    SmallProblem s = oracle::random_problem(rng, 6);
    s.settings.lambda0 = 0;
    s.settings.lambda2 = 0.1 + *s.settings.lambda2;
    front::with_problem(s.dataset(), s.settings, [&](const auto& problem) {
      const auto beta = descend_relaxation(problem, 3000);
      const auto u = predictor(problem, beta);
      const double P = objective(problem, u, beta);
      const double D = lower_bound(problem, dual_point(problem, u));
      EXPECT_LE(D, P * (1 + 1e-15));
      EXPECT_NEAR(D, P, 1e-9 * P) << round;
    });
  }
}

TEST(Duality, without_ridge_or_box_the_bound_is_finite_and_honest) {
  std::mt19937_64 rng(6);
  for (int round = 0; round < 500; ++round) {
    SmallProblem s = oracle::random_problem(rng, 6);
    s.settings.lower.clear();
    s.settings.upper.clear();
    s.settings.always.clear();
    s.settings.lambda2 = 0;
    front::with_problem(s.dataset(), s.settings, [&](const auto& problem) {
      std::vector<double> u(s.y.size(), 0.1);
      const double bound = lower_bound(problem, dual_point(problem, u));
      EXPECT_TRUE(std::isfinite(bound));
      EXPECT_GE(bound, 0);
      // Without any l1 the dual is feasible only where X'alpha = 0, which a wide matrix leaves to alpha = 0 alone.
      if (s.settings.lambda1 == 0 && problem.features.norm(0) > 0) {
        EXPECT_EQ(bound, 0);
      }
    });
  }
}

TEST(ZeroSum, sum_is_exactly_zero_and_nobody_leaves_the_domain) {
  std::mt19937_64 rng(7);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 3000; ++round) {
    const double spread = std::exp(10 * normal(rng));
    std::vector<double> alpha(1 + rng() % 400);
    for (double& a : alpha) a = normal(rng) * std::exp(spread > 1 ? 3 * normal(rng) : 0) + 0.2;
    const auto before = alpha;
    make_sum_zero(alpha);
    // Exact: every entry is a whole number of the smallest one's last bit, so long double (or more) adds without error.
    long double sum = 0;
    for (const double a : alpha) sum += static_cast<long double>(a);
    EXPECT_EQ(sum, 0.0L);
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      EXPECT_LE(std::abs(alpha[i]), std::abs(before[i]));
      EXPECT_GE(alpha[i] * before[i], 0);
    }
  }
}

TEST(ZeroSum, hardly_moves_what_already_adds_up) {
  std::mt19937_64 rng(8);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {2, 10, 1000, 300'000}) {
    std::vector<double> alpha(n);
    double mean = 0;
    for (double& a : alpha) mean += (a = normal(rng)) / static_cast<double>(n);
    for (double& a : alpha) a -= mean;
    const auto before = alpha;
    make_sum_zero(alpha);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(alpha[i], before[i], 1e-11);
  }
}

TEST(ZeroSum, one_sign_only_becomes_zero) {
  std::vector<double> alpha = {1, 2, 0};
  make_sum_zero(alpha);
  EXPECT_EQ(alpha, (std::vector<double>{0, 0, 0}));
}

}  // namespace
}  // namespace ellzero::problem
