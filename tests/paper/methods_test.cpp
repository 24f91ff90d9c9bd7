// The published methods against the truth by enumeration: every D of a trace is a bound, and they find what they
// should.
#include "ellzero/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "fit/small_sample.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

class Trace : public Observer {
 public:
  void on_iteration(const Iteration& iteration) override { rows.push_back(iteration); }
  std::vector<Iteration> rows;
};

/// A random problem that every method takes: with ridge, and for Dual-IHT with a budget.
SmallProblem random_problem(std::mt19937_64& rng, const std::string& method) {
  SmallProblem s = oracle::random_problem(rng, 8);
  s.settings.lambda2 = *s.settings.lambda2 + 0.05;
  s.settings.method = method;
  s.settings.max_iterations = 3000;
  if (method == "dual-iht") {
    s.settings.lambda0.reset();
    s.settings.k = static_cast<Index>(s.settings.always.size() + rng() % 4);
    s.settings.k = std::min(*s.settings.k, s.p);
  }
  return s;
}

class Methods : public testing::TestWithParam<std::string> {};

TEST_P(Methods, every_bound_of_the_trace_holds_and_verdicts_are_true) {
  std::mt19937_64 rng(7);
  int bounds = 0, decided = 0;
  for (int round = 0; round < 150; ++round) {
    SmallProblem s = random_problem(rng, GetParam());
    s.settings.adding = round % 2 == 0;
    s.settings.screening = std::vector<std::string>{"safe", "none", "heuristic"}[static_cast<std::size_t>(round % 3)];
    if (round % 4 == 0) s.settings.step = 0.01;
    SCOPED_TRACE(GetParam() + ", instance " + std::to_string(round) + ", " + s.settings.loss);
    const auto optimum = oracle::Enumeration(s).solve();
    if (!optimum.converged) continue;
    Trace trace;
    const Result result = fit(s.dataset(), s.settings, &trace);
    const double slack = 1e-9 * (1 + std::abs(optimum.objective));
    EXPECT_LE(result.lower_bound, optimum.objective + slack);
    EXPECT_GE(result.objective, optimum.objective - slack);
    EXPECT_FALSE(trace.rows.empty());
    Index before = 0;
    for (const Iteration& row : trace.rows) {
      EXPECT_GE(row.objective, optimum.objective - slack);
      EXPECT_GE(row.number, before);
      EXPECT_LE(row.active + row.screened, s.p);
      before = row.number;
      if (std::isnan(row.lower_bound)) continue;
      ++bounds;
      EXPECT_LE(row.lower_bound, optimum.objective + slack);
    }
    for (Index j = 0; j < s.p; ++j) {
      if (result.verdicts[j] == Verdict::Undecided) continue;
      ++decided;
      EXPECT_EQ(result.verdicts[j] == Verdict::Always, optimum.beta[j] != 0) << "feature " << j;
    }
  }
  EXPECT_GT(decided, 100);
  if (GetParam() != "cdss") {  // a cycle of CDSS has no dual point
    EXPECT_GT(bounds, 1000);
  }
}

/// Where the gap's floor is 0 (4.4) the relaxed solution is the optimum and ascent leads there: for certain at the
/// paper's scale of unit columns and a ridge to match. The link alone gets there slowly. CDSS is only a local search.
TEST_P(Methods, agree_with_enumeration_where_the_floor_is_zero) {
  std::mt19937_64 rng(11);
  int all = 0, agree = 0;
  for (int round = 0; round < 300; ++round) {
    SmallProblem s = random_problem(rng, GetParam());
    s.settings.standardize = true;
    s.settings.lambda2 = *s.settings.lambda2 + 0.5;
    s.settings.max_iterations = 20000;
    s.settings.tolerance = 1e-9;
    const auto optimum = oracle::Enumeration(s).solve();
    Settings engine = s.settings;
    engine.method = "engine";
    const double floor = fit(s.dataset(), engine).gap;
    if (!optimum.converged || floor > 1e-8 * (1 + optimum.objective)) continue;
    ++all;
    const Result result = fit(s.dataset(), s.settings);
    const double precision = GetParam() == "dual-ascent" || GetParam() == "dual-iht" ? 1e-3 : 1e-6;
    agree += result.objective <= optimum.objective + precision * (1 + std::abs(optimum.objective)) ? 1 : 0;
  }
  EXPECT_GT(all, 50);
  EXPECT_GE(agree, GetParam() == "cdss" ? all * 97 / 100 : all);
  RecordProperty("all", all);
  RecordProperty("agree", agree);
}

TEST_P(Methods, limits_end_them_with_a_valid_gap) {
  SmallProblem s = small_sample();
  s.settings.method = GetParam();
  s.settings.step = 1e-6;
  if (GetParam() == "dual-iht") {
    s.settings.lambda0.reset();
    s.settings.k = 2;
  }
  const auto optimum = oracle::Enumeration(s).solve();
  s.settings.max_iterations = 1;
  const Result one = fit_it(s);
  EXPECT_EQ(one.status, Status::IterationLimit);
  EXPECT_EQ(one.iterations, 1);
  EXPECT_LE(one.lower_bound, optimum.objective);
  s.settings.max_iterations = 1000000;
  s.settings.time_limit = 0;
  const Result none = fit_it(s);
  EXPECT_EQ(none.status, Status::TimeLimit);
  EXPECT_LE(none.lower_bound, optimum.objective);
  EXPECT_TRUE(std::isfinite(none.objective));
}

INSTANTIATE_TEST_SUITE_P(All, Methods, testing::Values("primal-dual", "dual-ascent", "dual-iht", "cdss"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Method, forms_that_do_not_suit_are_refused) {
  const auto refused = [](const std::string& method, auto change, std::initializer_list<std::string> parts) {
    SmallProblem s = small_sample();
    s.settings.method = method;
    change(s.settings);
    expect_refused(ErrorCode::Usage, parts, [&] { return fit_it(s); });
  };
  const auto budget = [](Settings& settings) {
    settings.lambda0.reset();
    settings.k = 2;
  };
  refused("primal-dual", budget, {"k: value is 2", "expected none, but lambda0", "primal-dual"});
  refused("cdss", budget, {"k: value is 2", "cdss"});
  refused("dual-iht", [](Settings&) {}, {"lambda0: value is 0.5", "but k"});
  refused("dual-ascent", [](Settings& settings) { settings.lambda2 = 0; }, {"lambda2: value is 0", "dual-ascent"});
  refused("gradient", [](Settings&) {}, {"method: value is gradient", "engine, primal-dual"});
}

TEST(Method, cdss_needs_no_ridge) {
  SmallProblem s = small_sample();
  s.settings.method = "cdss";
  s.settings.lambda2 = 0;
  const auto optimum = oracle::Enumeration(s).solve();
  const Result result = fit_it(s);
  EXPECT_EQ(result.support, (std::vector<Index>{1, 4}));
  EXPECT_NEAR(result.objective, optimum.objective, 1e-9 * optimum.objective);
  EXPECT_LE(result.lower_bound, optimum.objective);
}

}  // namespace
}  // namespace ellzero
