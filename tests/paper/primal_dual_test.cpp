// Algorithms 1 to 3: T never raises P, adding and screening change the work and not the answer, and the paper's rule
// errs.
#include "paper/primal_dual.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "fit/question.hpp"
#include "fit/small_sample.hpp"
#include "oracle/small_problem.hpp"
#include "solve/relaxed.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

TEST(HardSteps, never_raise_the_objective) {
  std::mt19937_64 rng(3);
  std::normal_distribution<double> normal;
  int fell = 0;
  for (int round = 0; round < 300; ++round) {
    const SmallProblem s = oracle::random_problem(rng, 10);
    front::with_problem(s.dataset(), s.settings, [&]<class L>(const problem::Problem<L>& problem) {
      auto active = paper::all_active(problem);
      std::vector<double> u(problem.offset.begin(), problem.offset.end());
      for (paper::Member& m : active.members) {
        m.beta = rng() % 2 == 0 ? 0 : m.penalty->clamp(normal(rng));
        active.add_column(m.column, m.beta, u);
      }
      paper::PrimalIterate<L> primal(problem);
      primal.start(u);
      double P = primal.objective(active.coefficients(primal.intercept()));
      for (int cycle = 0; cycle < 20; ++cycle) {
        primal.hard_steps(active);
        const auto beta = active.coefficients(primal.intercept());
        const double next = primal.objective(beta);
        EXPECT_LE(next, P + 1e-12 * std::abs(P)) << "instance " << round << ", cycle " << cycle;
        fell += next < P ? 1 : 0;
        P = next;
        EXPECT_NEAR(P, problem::objective(problem, problem::predictor(problem, beta), beta), 1e-9 * (1 + std::abs(P)));
      }
      return 0;
    });
  }
  EXPECT_GT(fell, 300);
}

/// 150 x 200, unit columns; features 0, 40, .., 160 matter, enough to be beyond the knee of phi (4.1): the floor is 0.
SmallProblem wide_sample(std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 150;
  s.p = 200;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) {
    double signal = 0.2 * normal(rng);
    for (Index j = 0; j < s.p; j += 40) signal += (j % 80 == 0 ? 1 : -1) * s.x[j * s.n + i];
    s.y.push_back(signal);
  }
  s.settings.lambda0 = 10;
  s.settings.lambda2 = 0.2;
  s.settings.intercept = false;
  s.settings.threads = 1;
  s.settings.method = "primal-dual";
  return s;
}

struct Counter : Observer {
  void on_iteration(const Iteration& at) override {
    smallest = std::min(smallest, at.active);
    screened = at.screened;
  }
  Index smallest = 1000, screened = 0;
};

TEST(Algorithm3, adding_and_safe_screening_do_not_change_the_answer) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SmallProblem s = wide_sample(seed);
    s.settings.adding = false;
    s.settings.screening = "none";
    Counter plain_work;
    const Result plain = fit(s.dataset(), s.settings, &plain_work);
    EXPECT_EQ(plain_work.smallest, s.p);
    EXPECT_EQ(plain_work.screened, 0);
    for (const bool adding : {true, false})
      for (const std::string screening : {"safe", "none"}) {
        s.settings.adding = adding;
        s.settings.screening = screening;
        Counter work;
        const Result result = fit(s.dataset(), s.settings, &work);
        SCOPED_TRACE(std::to_string(seed) + (adding ? ", adding, " : ", no adding, ") + screening);
        EXPECT_EQ(result.support, plain.support);
        EXPECT_NEAR(result.objective, plain.objective, 1e-3 * plain.objective);
        EXPECT_NEAR(result.lower_bound, plain.lower_bound, 1e-3 * plain.objective);
        if (adding) {
          EXPECT_LE(work.smallest, 22);  // ceil(4 log 200)
        }
        EXPECT_EQ(work.screened > 0, screening == "safe");
      }
  }
}

/// Why `safe` is the default. The paper's rule is applied while the active set is small: the sub-problem's gap, and
/// with it the ball, is then smaller than the whole problem's, and a feature that the optimum needs is dropped for
/// good.
TEST(Screening, the_papers_rule_can_drop_a_feature_of_the_optimum) {
  SmallProblem s;
  s.n = 6;
  s.p = 5;
  s.x = {0, 0, 0, 1, 0, -2, 0, 1, -3, 1, 0, -1, 0, 4, 0, 0, 1, -1, 2, -2, -1, 2, -1, -1, -1, 1, 2, -2, -3, 4};
  s.y = {1, -2, -1, 0, -8, -2};
  s.settings.lambda0 = 0.5;
  s.settings.lambda2 = 1;
  s.settings.intercept = false;
  s.settings.threads = 1;
  s.settings.method = "primal-dual";
  s.settings.step = 0.0005;
  s.settings.add_factor = 0.5;  // one feature at a time
  const auto optimum = oracle::Enumeration(s).solve();
  const Result safe = fit_it(s);
  EXPECT_NEAR(safe.objective, optimum.objective, 1e-6 * optimum.objective);
  EXPECT_EQ(safe.support, (std::vector<Index>{0, 2, 3, 4}));
  s.settings.screening = "heuristic";
  const Result heuristic = fit_it(s);
  EXPECT_GT(heuristic.objective, optimum.objective * 1.004);
  EXPECT_LT(heuristic.support.size(), safe.support.size());
  EXPECT_LE(heuristic.lower_bound, optimum.objective);  // what it reports is true all the same
}

/// At the dual optimum itself, |tau_j| below the threshold does not mean that the optimum does without feature j;
/// within the ball of the whole gap, floor included, it does. (9.1)
TEST(Screening, the_ball_of_the_whole_gap_is_safe_and_its_centre_is_not) {
  std::mt19937_64 rng(5);
  int wrong_at_centre = 0, fired = 0;
  for (int round = 0; round < 3000; ++round) {
    SmallProblem s = oracle::random_problem(rng, 7);
    s.settings.lambda2 = *s.settings.lambda2 + 0.01;
    s.settings.always.clear();
    const auto optimum = oracle::Enumeration(s).solve();
    if (!optimum.converged) continue;
    front::with_problem(s.dataset(), s.settings, [&]<class L>(const problem::Problem<L>& problem) {
      core::Stop stop(std::nullopt, nullptr);
      const auto relaxed = solve::RelaxedSolver<L>(problem).solve({1e-12}, stop);
      const double r = std::sqrt(2 * std::max(0.0, optimum.objective - relaxed.lower_bound) / problem.loss.mu());
      for (Index j = 0; j < s.p; ++j) {
        const auto& coordinate = problem.penalty[j];
        const double below = std::min(coordinate.threshold(-1), coordinate.threshold(+1)) - std::abs(relaxed.tau[j]);
        const bool is_out = below - problem.features.norm(j) * r > 1e-7;
        fired += is_out && problem.features.norm(j) > 0 ? 1 : 0;
        if (optimum.beta[j] == 0) continue;
        wrong_at_centre += below > 1e-3 ? 1 : 0;
        EXPECT_FALSE(is_out) << "instance " << round << ", feature " << j << ", " << s.settings.loss;
      }
      return 0;
    });
  }
  EXPECT_GE(wrong_at_centre, 3);
  EXPECT_GT(fired, 1000);
}

}  // namespace
}  // namespace ellzero
