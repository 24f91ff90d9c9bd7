// fit() on data that is degenerate or extreme and on settings that are: right answers or refusals, never silent zeros.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "fit/small_sample.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace ellzero {
namespace {

using oracle::SmallProblem;

constexpr double denormal = std::numeric_limits<double>::denorm_min();

void set_budget(SmallProblem& s, Index k) {
  s.settings.lambda0.reset();
  s.settings.k = k;
}

void set_column(SmallProblem& s, Index j, double value) { std::fill_n(s.x.begin() + j * s.n, s.n, value); }

/// Column `to` becomes factor times column `from`.
void copy_column(SmallProblem& s, Index from, Index to, double factor) {
  for (Index i = 0; i < s.n; ++i) s.x[to * s.n + i] = factor * s.x[from * s.n + i];
}

/// Certificate and answer against the truth of all subsets.
void expect_valid(const SmallProblem& s, const Result& result, const std::string& where) {
  const auto optimum = oracle::Enumeration(s).solve();
  const double slack = 1e-8 * (1 + optimum.objective);
  EXPECT_LE(result.lower_bound, optimum.objective + slack) << where;
  EXPECT_LE(result.objective, optimum.objective + slack) << where;
  if (optimum.converged) {
    EXPECT_GE(result.objective, optimum.objective - slack) << where;
  }
}

TEST(FitExtremes, constant_and_zero_columns_get_coefficient_0_and_a_note) {
  for (const char* loss : all_losses)
    for (const double value : {0.0, 5.0, 0.1, -1e50}) {
      SmallProblem s = small_sample(loss);
      set_column(s, 2, value);
      s.settings.lambda0 = 0;  // everything that helps at all is used
      const Result result = fit_it(s);
      EXPECT_EQ(result.support, (std::vector<Index>{0, 1, 3, 4, 5})) << loss << ", value " << value;
      EXPECT_EQ(result.verdicts[2], Verdict::Never);
      EXPECT_TRUE(has_note(result, "1 constant column left out"));
      EXPECT_LE(result.relative_gap, 1e-8);
    }
}

TEST(FitExtremes, nothing_but_constant_columns_leaves_the_intercept) {
  for (const bool budget : {false, true}) {
    SmallProblem s = small_sample();
    for (Index j = 0; j < s.p; ++j) set_column(s, j, static_cast<double>(j));
    s.settings.always = {3};
    if (budget) set_budget(s, 2);
    const Result result = fit_it(s);
    EXPECT_TRUE(result.support.empty());
    EXPECT_TRUE(has_note(result, "6 constant columns left out"));
    double mean = 0;
    for (const double y : s.y) mean += y / static_cast<double>(s.n);
    EXPECT_NEAR(result.intercept, mean, 1e-12);
    EXPECT_EQ(result.status, Status::Optimal);
  }
}

TEST(FitExtremes, a_constant_column_without_an_intercept_is_a_feature) {
  SmallProblem s = small_sample();
  set_column(s, 2, 4.0);
  for (double& y : s.y) y += 8;
  s.settings.intercept = false;
  const Result result = fit_it(s);
  EXPECT_EQ(result.support, (std::vector<Index>{1, 2, 4}));
  EXPECT_TRUE(result.notes.empty());
  expect_valid(s, result, "no intercept");
}

TEST(FitExtremes, of_columns_that_tie_the_lowest_index_is_used) {
  for (const char* loss : all_losses)
    for (const double factor : {1.0, 2.0, -1.0, -0.25})
      for (const bool budget : {false, true}) {
        SmallProblem s = small_sample(loss);
        copy_column(s, 1, 0, factor);
        copy_column(s, 4, 5, factor);
        s.settings.lambda1 = 0.1;  // unlike a ridge, it gains nothing by sharing between copies
        s.settings.lambda2 = 0;
        if (budget) set_budget(s, 2);
        const std::string where = std::string(loss) + ", factor " + std::to_string(factor) + (budget ? ", k" : "");
        const Result result = fit_it(s);
        EXPECT_EQ(result.support, (std::vector<Index>{0, 4})) << where;
        for (const Index j : {0, 1, 4, 5}) EXPECT_EQ(result.verdicts[j], Verdict::Undecided) << where;
        expect_valid(s, result, where);
      }
}

TEST(FitExtremes, collinear_columns_leave_the_certificate_valid) {
  for (const char* loss : all_losses)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      for (const double ridge : {0.01, 0.0}) {
        SmallProblem s = small_sample(loss, seed);
        for (Index i = 0; i < s.n; ++i) {
          s.x[2 * s.n + i] = s.x[s.n + i] + s.x[4 * s.n + i];
          s.x[3 * s.n + i] = s.x[s.n + i] - s.x[4 * s.n + i];
        }
        s.settings.lambda1 = 0.05;
        s.settings.lambda2 = ridge;
        expect_valid(s, fit_it(s), std::string(loss) + ", seed " + std::to_string(seed));
      }
}

TEST(FitExtremes, one_row_has_the_answer_of_the_formula) {
  SmallProblem s;
  s.n = 1;
  s.p = 3;
  s.x = {2, 0, -4};
  s.y = {4};
  s.settings.lambda2 = 0.5;
  s.settings.threads = 1;
  for (const bool budget : {false, true}) {
    s.settings.lambda0 = 0.1;
    s.settings.k.reset();
    if (budget) set_budget(s, 1);
    s.settings.intercept = s.settings.standardize = true;
    const Result trivial = fit_it(s);
    EXPECT_EQ(trivial.intercept, 4);
    EXPECT_EQ(trivial.gap, 0);
    s.settings.intercept = s.settings.standardize = false;
    const Result result = fit_it(s);
    EXPECT_EQ(result.support, (std::vector<Index>{2}));
    EXPECT_NEAR(result.coefficients.at(0), -16.0 / 17, 1e-9);  // x y / (x^2 + 2 lambda2)
    expect_valid(s, result, "one row");
  }
  SmallProblem weighted = small_sample();
  weighted.weights.assign(weighted.y.size(), 0.0);
  weighted.weights[7] = 3;
  EXPECT_EQ(fit_it(weighted).n, 1);
  EXPECT_NEAR(fit_it(weighted).intercept, weighted.y[7], 1e-12);
}

TEST(FitExtremes, other_units_of_x_change_the_coefficients_by_just_that_or_are_refused) {
  for (const char* loss : all_losses) {
    const SmallProblem s = small_sample(loss);
    const Result expected = fit_it(s);
    for (const double factor : {1e300, 1e-300, 1e150, 1e-150, 1e55, 1e-55, -1e20}) {
      SmallProblem scaled = s;
      for (double& x : scaled.x) x *= factor;
      if (std::abs(std::log10(std::abs(factor))) > 60) {
        expect_refused(ErrorCode::Data,
                       {"X: the largest magnitude in column 0 is", "between 1e-60 and 1e+60", "rescale"},
                       [&] { return fit_it(scaled); });
        continue;
      }
      const Result result = fit_it(scaled);
      ASSERT_EQ(result.support, expected.support) << loss << ", factor " << factor;
      EXPECT_NEAR(result.objective, expected.objective, 1e-9 * expected.objective);
      EXPECT_NEAR(result.lower_bound, expected.lower_bound, 1e-8 * expected.objective);
      for (std::size_t c = 0; c < result.support.size(); ++c)
        EXPECT_NEAR(result.coefficients[c] * factor, expected.coefficients[c], 1e-6);
    }
  }
}

TEST(FitExtremes, other_units_of_y_change_the_coefficients_by_just_that_or_are_refused) {
  SmallProblem s = small_sample();
  s.settings.lambda1 = 0.1;
  const Result expected = fit_it(s);
  for (const double factor : {1e300, 1e-300, 1e150, 1e-150, 1e29, 1e-29, 1e-55}) {
    SmallProblem scaled = s;
    for (double& y : scaled.y) y *= factor;
    if (std::abs(std::log10(factor)) > 60) {
      expect_refused(ErrorCode::Data, {"y: the largest magnitude is", "between 1e-60 and 1e+60", "rescale"},
                     [&] { return fit_it(scaled); });
      continue;
    }
    scaled.settings.lambda0 = *s.settings.lambda0 * factor * factor;
    scaled.settings.lambda1 *= factor;
    const Result result = fit_it(scaled);
    ASSERT_EQ(result.support, expected.support) << factor;
    EXPECT_NEAR(result.objective / factor / factor, expected.objective, 1e-9 * expected.objective);
    EXPECT_NEAR(result.relative_gap, expected.relative_gap, 1e-8);
    for (std::size_t c = 0; c < result.support.size(); ++c)
      EXPECT_NEAR(result.coefficients[c] / factor, expected.coefficients[c], 1e-6);
  }
}

TEST(FitExtremes, columns_of_scales_far_apart_are_right_or_refused_by_name) {
  for (const char* loss : all_losses)
    for (const double step : {22.0, 60.0}) {  // 1e-55 to 1e55, and 1e-150 to 1e150
      SmallProblem s = small_sample(loss);
      const Result expected = fit_it(s);
      const auto factor = [&](Index j) { return std::pow(10.0, step * (static_cast<double>(j) - 2.5)); };
      for (Index j = 0; j < s.p; ++j) copy_column(s, j, j, factor(j));
      if (step > 50) {
        expect_refused(ErrorCode::Data, {"X: the largest magnitude in column ", "rescale the column"},
                       [&] { return fit_it(s); });
        continue;
      }
      const Result result = fit_it(s);
      ASSERT_EQ(result.support, expected.support) << loss;
      EXPECT_NEAR(result.lower_bound, expected.lower_bound, 1e-8 * expected.objective);
      for (std::size_t c = 0; c < result.support.size(); ++c)
        EXPECT_NEAR(result.coefficients[c] * factor(result.support[c]), expected.coefficients[c], 1e-6);
    }
}

TEST(FitExtremes, denormals_beside_ordinary_numbers_count_as_what_they_are_and_alone_are_refused) {
  for (const char* loss : all_losses) {
    SmallProblem zeros = small_sample(loss);
    zeros.settings.lambda0 = 0;
    SmallProblem s = zeros;
    for (std::size_t k = 0; k < s.x.size(); k += 3) {
      zeros.x[k] = 0;
      s.x[k] = k % 2 == 0 ? denormal : -denormal;
    }
    const Result result = fit_it(s);
    const Result expected = fit_it(zeros);
    EXPECT_EQ(result.support, expected.support);
    for (std::size_t c = 0; c < result.support.size(); ++c)
      EXPECT_NEAR(result.coefficients[c], expected.coefficients[c], 1e-9);
    for (Index i = 0; i < s.n; ++i) s.x[s.n + i] = static_cast<double>(i % 3) * denormal;
    expect_refused(ErrorCode::Data, {"X: the largest magnitude in column 1 is 9.88131e-324", "rescale"},
                   [&] { return fit_it(s); });
  }
  SmallProblem s = small_sample();
  for (Index i = 0; i < s.n; ++i) s.y[i] = static_cast<double>(i % 3) * denormal;
  expect_refused(ErrorCode::Data, {"y: the largest magnitude is 9.88131e-324", "rescale"}, [&] { return fit_it(s); });
}

/// The control bits (rounding, denormals, traps) of this thread; the flags of past exceptions do not count.
unsigned floating_point_mode() {
#if defined(__SSE2__)
  return _mm_getcsr() & ~0x3fU;
#else
  return static_cast<unsigned>(std::fegetround());
#endif
}

TEST(FitExtremes, the_floating_point_mode_of_the_host_is_left_alone) {
  SmallProblem s = small_sample();
  for (std::size_t k = 0; k < s.x.size(); k += 3) s.x[k] = denormal;
  const auto expect_untouched = [&] {
    const unsigned before = floating_point_mode();
    for (const int threads : {1, 2}) {
      s.settings.threads = threads;
      (void)fit_it(s);
      EXPECT_EQ(floating_point_mode(), before);
    }
  };
  ASSERT_EQ(std::fesetenv(FE_DFL_ENV), 0);  // whatever earlier tests may have left
  expect_untouched();
  volatile double triple = denormal;
  triple = triple * 3;
  EXPECT_EQ(std::fpclassify(triple), FP_SUBNORMAL);  // the host's own arithmetic still has denormals
  ASSERT_EQ(std::fesetround(FE_TOWARDZERO), 0);
  expect_untouched();
  EXPECT_EQ(std::fegetround(), FE_TOWARDZERO);
  ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
#if defined(__SSE2__)
  constexpr unsigned flush_and_zero = 0x8040;  // a host that wants no denormals keeps that, too
  const unsigned mode = _mm_getcsr();
  _mm_setcsr(mode | flush_and_zero);
  expect_untouched();
  EXPECT_EQ(_mm_getcsr() & flush_and_zero, flush_and_zero);
  _mm_setcsr(mode);
#endif
}

TEST(FitExtremes, a_constant_target_is_the_intercept_with_gap_zero) {
  for (const double value : {7.0, 0.1, -1e50 / 3, 0.0})
    for (const bool budget : {false, true})
      for (const double ridge : {0.01, 0.0}) {
        SmallProblem s = small_sample();
        s.y.assign(s.y.size(), value);
        s.settings.lambda2 = ridge;
        if (budget) set_budget(s, 2);
        const Result result = fit_it(s);
        EXPECT_TRUE(result.support.empty()) << value;
        EXPECT_EQ(result.intercept, value);
        EXPECT_EQ(result.gap, 0);
        EXPECT_EQ(result.status, Status::Optimal);
      }
}

TEST(FitExtremes, a_single_class_is_refused_also_where_the_other_has_no_weight) {
  for (const char* loss : {"logistic", "smoothed-hinge"})
    for (const double only : {low_class(loss), 1.0}) {
      SmallProblem s = small_sample(loss);
      const std::string message = "y: every row is of class " + std::to_string(static_cast<int>(only));
      s.weights.assign(s.y.size(), 1.0);
      for (Index i = 0; i < s.n; ++i) s.weights[i] = s.y[i] == only ? 1 : 0;
      expect_refused(ErrorCode::Data, {message, "expected two classes"}, [&] { return fit_it(s); });
      s.weights.clear();
      s.y.assign(s.y.size(), only);
      expect_refused(ErrorCode::Data, {message, "expected two classes"}, [&] { return fit_it(s); });
    }
}

TEST(FitExtremes, only_the_labels_of_the_loss_are_targets) {
  for (const auto& [loss, bad, expected] : {std::tuple<std::string, double, std::string>{"logistic", -1, "0 or 1"},
                                            {"logistic", 2, "0 or 1"},
                                            {"smoothed-hinge", 0, "-1 or +1"},
                                            {"smoothed-hinge", 2, "-1 or +1"}}) {
    SmallProblem s = small_sample(loss);
    s.y[5] = bad;
    const std::string shown = std::to_string(static_cast<int>(bad));
    expect_refused(ErrorCode::Data, {fmt::format("y[5]: value is {}; expected {}", shown, expected)},
                   [&] { return fit_it(s); });
  }
}

}  // namespace
}  // namespace ellzero
