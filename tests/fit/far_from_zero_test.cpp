// Data whose mean is 1e3 to 1e12 times its spread, in X, y and offset: bounds and verdicts hold against enumeration,
// and the objective is that of the coefficients as they are stated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ellzero/evaluate.hpp"
#include "ellzero/every_k.hpp"
#include "ellzero/fit.hpp"
#include "ellzero/path.hpp"
#include "ellzero/pool.hpp"
#include "ellzero/prove.hpp"
#include "fit/small_sample.hpp"
#include "oracle/far_problem.hpp"

namespace ellzero {
namespace {

using oracle::Far;
using oracle::PreciseEnumeration;
using oracle::SmallProblem;
using oracle::Split;

constexpr double rounding = 1e-12;  // relative: the oracle's scales and sums have some of their own

const std::vector<Far> kinds = {{true, false, false}, {false, true, false}, {false, false, true}, {true, true, true}};

void expect_as_stated(const SmallProblem& s, const PreciseEnumeration& e, const Result& result) {
  const auto stated = static_cast<double>(oracle::stated_objective(s, e, result));
  EXPECT_NEAR(result.objective, stated, rounding * stated);
  EXPECT_LE(result.lower_bound, result.objective);
}

void expect_bounds(const Split& truth, const Result& result) {
  const auto best = static_cast<double>(truth.best);
  EXPECT_LE(result.lower_bound, best * (1 + rounding));
  if (truth.converged) {
    EXPECT_GE(result.objective, best * (1 - rounding));
  }
}

/// A feature that every optimum has must not be declared out, nor one that none has be declared in.
void expect_verdicts(const Split& truth, const Result& result) {
  constexpr double tie = 1e-9;
  if (!truth.converged) return;
  for (std::size_t j = 0; j < result.verdicts.size(); ++j) {
    const bool in_every = truth.with[j] < truth.without[j] * (1 - tie);
    const bool in_none = truth.without[j] < truth.with[j] * (1 - tie);
    EXPECT_FALSE(in_every && result.verdicts[j] == Verdict::Never) << j;
    EXPECT_FALSE(in_none && result.verdicts[j] == Verdict::Always) << j;
  }
}

std::string where(const SmallProblem& s, int round) { return s.settings.loss + ", instance " + std::to_string(round); }

void make_budget(SmallProblem& s, std::mt19937_64& rng) {
  s.settings.lambda0.reset();
  const auto least = static_cast<Index>(s.settings.always.size());
  s.settings.k = std::max(least, static_cast<Index>(rng() % static_cast<std::uint64_t>(s.p + 1)));
}

/// The same matrix, compressed.
struct Compressed {
  std::vector<std::int32_t> starts = {0}, rows;
  std::vector<double> values;

  explicit Compressed(const SmallProblem& s) {
    for (Index j = 0; j < s.p; ++j) {
      for (Index i = 0; i < s.n; ++i) {
        if (s.x[j * s.n + i] == 0) continue;
        rows.push_back(static_cast<std::int32_t>(i));
        values.push_back(s.x[j * s.n + i]);
      }
      starts.push_back(static_cast<std::int32_t>(rows.size()));
    }
  }
  [[nodiscard]] Dataset dataset(const SmallProblem& s) const {
    return {SparseMatrix<double, std::int32_t>{s.n, s.p, starts, rows, values}, s.y, s.weights, s.offset};
  }
};

TEST(FarFromZero, fit_is_valid_and_its_objective_is_that_of_its_coefficients) {
  std::mt19937_64 rng(1);
  int verdicts = 0, closed = 0, converged = 0;
  for (int round = 0; round < 2400; ++round) {
    SmallProblem s = oracle::far_problem(rng, kinds[round % kinds.size()], 5);
    if (round % 3 == 0) make_budget(s, rng);
    SCOPED_TRACE(where(s, round));
    const PreciseEnumeration e(s);
    const Split truth = best_with_and_without(s, e);
    converged += truth.converged ? 1 : 0;
    const Compressed compressed(s);
    for (const bool sparse : {false, true}) {
      const Result result = fit(sparse ? compressed.dataset(s) : s.dataset(), s.settings);
      expect_as_stated(s, e, result);
      expect_bounds(truth, result);
      expect_verdicts(truth, result);
      verdicts += std::count(result.verdicts.begin(), result.verdicts.end(), Verdict::Undecided) == 0 ? 1 : 0;
      closed += result.relative_gap < 1e-6 ? 1 : 0;
    }
  }
  // Nothing proved, nothing wrong: but much is proved.
  EXPECT_GT(verdicts, 1500);
  EXPECT_GT(closed, 1500);
  EXPECT_GT(converged, 2300);
}

TEST(FarFromZero, proofs_close_where_doubles_can_state_the_solution) {
  std::mt19937_64 rng(2);
  for (int round = 0; round < 800; ++round) {
    Far far = kinds[round % kinds.size()];
    if (far.x) far.most = 9;
    SmallProblem s = oracle::far_problem(rng, far, 5);
    if (round % 3 == 0) make_budget(s, rng);
    SCOPED_TRACE(where(s, round));
    const PreciseEnumeration e(s);
    const Split truth = best_with_and_without(s, e);
    const Result result = prove(s.dataset(), s.settings);
    EXPECT_EQ(result.status, Status::Optimal) << result.relative_gap;
    expect_as_stated(s, e, result);
    expect_bounds(truth, result);
    expect_verdicts(truth, result);
  }
}

TEST(FarFromZero, path_pool_every_k_methods_and_evaluate_state_the_same) {
  std::mt19937_64 rng(3);
  for (int round = 0; round < 120; ++round) {
    SmallProblem s = oracle::far_problem(rng, kinds[round % kinds.size()], 5);
    SCOPED_TRACE(where(s, round));
    const auto expect_each = [&](const std::vector<Result>& models) {
      for (const Result& model : models) {
        SmallProblem own = s;
        own.settings.lambda0 = model.lambda0;
        expect_as_stated(own, PreciseEnumeration(own), model);
      }
    };
    expect_each(pool(s.dataset(), s.settings, {0.1, 5}).models);
    std::vector<double> coefficients(static_cast<std::size_t>(s.p), 0.0);
    const Result fitted = fit_it(s);
    for (std::size_t c = 0; c < fitted.support.size(); ++c) coefficients[fitted.support[c]] = fitted.coefficients[c];
    const Evaluation again = evaluate(s.dataset(), s.settings, coefficients);
    EXPECT_NEAR(again.objective, fitted.objective, rounding * fitted.objective);
    EXPECT_LE(again.lower_bound, static_cast<double>(PreciseEnumeration(s).solve().objective) * (1 + rounding));
    s.settings.method = "cdss";
    expect_each({fit_it(s)});
    s.settings.method = "engine";
    s.settings.lambda0.reset();
    s.settings.grid_size = 5;
    expect_each(path(s.dataset(), s.settings).models);
    if (s.settings.loss == "squared") expect_each(every_k(s.dataset(), s.settings));
  }
}

TEST(FarFromZero, beyond_the_digits_of_a_double_results_are_honest) {
  std::mt19937_64 rng(4);
  for (int round = 0; round < 300; ++round) {
    const SmallProblem s = oracle::far_problem(rng, {true, true, round % 2 == 0, 12.5, 15}, 4);
    SCOPED_TRACE(where(s, round));
    const PreciseEnumeration e(s);
    const Split truth = best_with_and_without(s, e);
    const Result result = prove(s.dataset(), s.settings);
    expect_as_stated(s, e, result);
    expect_bounds(truth, result);
    expect_verdicts(truth, result);
    EXPECT_TRUE(result.status == Status::Optimal || has_note(result, "too far from 0")) << result.relative_gap;
  }
}

TEST(FarFromZero, constant_target) {
  for (const double y : {0.0, 1e8, -1e20, 1e40}) {
    SmallProblem s = small_sample("squared");
    std::fill(s.y.begin(), s.y.end(), y);
    const Result result = prove(s.dataset(), s.settings);
    EXPECT_EQ(result.status, Status::Optimal) << y;
    EXPECT_TRUE(result.support.empty()) << y;
    EXPECT_EQ(result.intercept, y);
    EXPECT_EQ(result.objective, 0) << y;
    EXPECT_EQ(result.gap, 0) << y;
  }
}

/// y - offset is no double: features 1 and 4 explain the offset, however large y is.
TEST(FarFromZero, constant_target_with_an_offset_of_another_size) {
  for (const double y : {0.0, 1e8, -1e20, 1e40}) {
    SmallProblem s = small_sample("squared");
    s.offset = s.y;
    std::fill(s.y.begin(), s.y.end(), y);
    SCOPED_TRACE(y);
    const PreciseEnumeration e(s);
    const Split truth = best_with_and_without(s, e);
    const Result result = prove(s.dataset(), s.settings);
    EXPECT_EQ(result.support, (std::vector<Index>{1, 4}));
    expect_as_stated(s, e, result);
    expect_bounds(truth, result);
    expect_verdicts(truth, result);
    // The intercept is rounded at the size of y.
    EXPECT_TRUE(std::abs(y) < 1e10 ? result.status == Status::Optimal : has_note(result, "too far from 0"));
  }
}

/// The best intercept is 1e20 - 1, which is no double, and without rounding the objective is 0.
TEST(FarFromZero, a_cost_beyond_all_measure_is_said_in_words) {
  SmallProblem s = small_sample("squared");
  s.offset.assign(s.y.size(), 1.0);
  std::fill(s.y.begin(), s.y.end(), 1e20);
  const Result result = fit(s.dataset(), s.settings);
  EXPECT_TRUE(has_note(result, "rounded to double, cost more than all else in the objective: "));
  EXPECT_FALSE(has_note(result, "inf "));
}

TEST(FarFromZero, one_row) {
  SmallProblem s;
  s.n = 1;
  s.p = 2;
  s.x = {1e12, -1e9};
  s.y = {1e20};
  s.offset = {1};
  s.settings.lambda0 = 1;
  s.settings.lambda2 = 1;
  const Result result = fit_it(s);
  EXPECT_TRUE(result.support.empty());
  EXPECT_EQ(result.intercept, 1e20);
  EXPECT_EQ(result.objective, 0.5);  // 1e20 - 1 is no double: the intercept misses it by 1
  EXPECT_EQ(result.lower_bound, 0);
}

}  // namespace
}  // namespace ellzero
