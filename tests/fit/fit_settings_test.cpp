// fit() with settings at and beyond their edges: refusals, bounds that bind, classes apart, a gap below rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "fit/small_sample.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

using oracle::inf;
using oracle::nan;

template <class Change>
void expect_setting_refused(std::initializer_list<std::string> parts, Change&& change) {
  SmallProblem s = small_sample();
  change(s.settings);
  expect_refused(ErrorCode::Usage, parts, [&] { return fit_it(s); });
}

TEST(FitSettings, lambdas_out_of_range_are_refused) {
  for (const auto& [bad, shown] :
       {std::pair<double, std::string>{-1, "-1"}, {nan, "nan"}, {inf, "inf"}, {-inf, "-inf"}, {1e61, "1e+61"}}) {
    const std::string rest = ": value is " + shown + "; expected 0 to 1e+60";
    expect_setting_refused({"lambda0" + rest}, [bad = bad](Settings& settings) { settings.lambda0 = bad; });
    expect_setting_refused({"lambda1" + rest}, [bad = bad](Settings& settings) { settings.lambda1 = bad; });
    expect_setting_refused({"lambda2" + rest}, [bad = bad](Settings& settings) { settings.lambda2 = bad; });
  }
}

TEST(FitSettings, budgets_out_of_range_are_refused) {
  const auto budget = [](Index k) {
    return [k](Settings& settings) {
      settings.lambda0.reset();
      settings.k = k;
    };
  };
  expect_setting_refused({"k: value is 7; expected 0 to 6", "number of columns of X"}, budget(7));
  expect_setting_refused({"k: value is -1; expected 0 or above"}, budget(-1));
  expect_setting_refused({"k: value is 9223372036854775807"}, budget(std::numeric_limits<Index>::max()));
  expect_setting_refused({"k: value is 1; expected 2 to 6", "always-in"}, [&](Settings& settings) {
    budget(1)(settings);
    settings.always = {0, 3};
  });
}

TEST(FitSettings, an_always_in_feature_that_is_named_twice_counts_once_in_k) {
  SmallProblem s = small_sample("squared");
  s.settings.lambda0.reset();
  s.settings.k = 1;
  s.settings.always = {3, 3};
  EXPECT_EQ(fit(s.dataset(), s.settings).support, std::vector<Index>{3});
}

TEST(FitSettings, boxes_that_are_empty_or_without_0_are_refused) {
  using Numbers = std::vector<double>;
  const auto box = [](const Numbers& lower, const Numbers& upper) {
    return [=](Settings& settings) {
      settings.lower = lower;
      settings.upper = upper;
    };
  };
  expect_setting_refused({"lower[0]: value is 1; expected -inf to 0"}, box({1}, {-1}));  // lower > upper
  expect_setting_refused({"lower[0]: value is 1; expected -inf to 0"}, box({1}, {2}));
  expect_setting_refused({"upper[2]: value is -1; expected 0 to inf"}, box({-2}, {0, 0, -1, 0, 0, 0}));
  expect_setting_refused({"lower[1]: value is nan; expected -inf to 0"}, box({0, nan, 0, 0, 0, 0}, {}));
  expect_setting_refused({"upper[0]: value is nan"}, box({}, {nan}));
  expect_setting_refused({"lower[0]: value is inf"}, box({inf}, {}));
  expect_setting_refused({"upper[0]: value is -inf"}, box({}, {-inf}));
  expect_setting_refused({"upper: length is 5; expected 1 or 6"}, box({}, Numbers(5, 1.0)));
}

/// Bounds are kept exactly, whatever scaling to the solver's units and back rounds.
TEST(FitSettings, a_coefficient_at_its_bound_has_just_that_value_and_is_noted) {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> uniform(0.05, 0.4);
  int binding = 0;
  for (const char* loss : all_losses)
    for (int round = 0; round < 40; ++round) {
      SmallProblem s = small_sample(loss, static_cast<std::uint64_t>(round));
      for (Index k = 0; k < s.n; ++k) s.x[s.n + k] *= uniform(rng);  // the scale of a column is any number
      const double upper = uniform(rng), lower = -uniform(rng);
      s.settings.lambda0 = 0.01;
      s.settings.upper = {upper};
      s.settings.lower = {lower};
      if (round % 2 == 1) {
        s.settings.lambda0.reset();
        s.settings.k = 3;
      }
      const Result result = fit_it(s);
      for (std::size_t c = 0; c < result.support.size(); ++c) {
        const double b = result.coefficients[c];
        ASSERT_TRUE(b <= upper && b >= lower) << loss << ", round " << round;
        const bool near = b > upper * (1 - 1e-12) || b < lower * (1 - 1e-12);
        if (near) {
          EXPECT_TRUE(b == upper || b == lower) << loss << ", round " << round << ": " << b;
        }
        const std::string note = "feature " + std::to_string(result.support[c]) + " is at its bound";
        EXPECT_EQ(has_note(result, note), near) << loss << ", round " << round;
        binding += near ? 1 : 0;
      }
    }
  EXPECT_GT(binding, 100);
}

TEST(FitSettings, a_box_that_does_not_bind_is_not_noted) {
  SmallProblem s = small_sample();
  s.settings.lower = {-100};
  s.settings.upper = {100};
  EXPECT_TRUE(fit_it(s).notes.empty());
}

/// More features than samples: some subset always separates the classes.
SmallProblem separable(const std::string& loss) {
  std::mt19937_64 rng(3);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 30;
  s.p = 90;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) s.y.push_back(s.x[i] - s.x[s.n + i] > 0 ? 1 : low_class(loss));
  s.settings.loss = loss;
  s.settings.lambda0 = 0.05;
  s.settings.lambda2 = 0;
  s.settings.threads = 1;
  return s;
}

TEST(FitSettings, classes_that_are_apart_end_with_a_warning_and_finite_coefficients) {
  for (const char* loss : {"logistic", "smoothed-hinge"})
    for (const bool budget : {false, true})
      for (const bool plain : {false, true}) {
        SmallProblem s = separable(loss);
        s.settings.intercept = s.settings.standardize = !plain;
        if (budget) {
          s.settings.lambda0.reset();
          s.settings.k = 4;
        }
        const std::string where = std::string(loss) + (budget ? ", k" : "") + (plain ? ", plain" : "");
        const Result result = fit_it(s);
        EXPECT_TRUE(has_note(result, "separated perfectly")) << where;
        ASSERT_FALSE(result.support.empty()) << where;
        for (const double b : result.coefficients) EXPECT_TRUE(std::isfinite(b)) << where;
        EXPECT_TRUE(std::isfinite(result.intercept)) << where;
        EXPECT_LE(result.lower_bound, result.objective) << where;
        EXPECT_LT(result.objective, 4) << where;  // from 30 log 2 or so
      }
}

TEST(FitSettings, no_warning_of_classes_apart_where_something_holds_the_coefficients) {
  for (const char* loss : {"logistic", "smoothed-hinge"}) {
    SmallProblem ridge = separable(loss), lasso = ridge, boxed = ridge, mixed = small_sample(loss);
    ridge.settings.lambda2 = 1e-3;
    lasso.settings.lambda1 = 1e-3;
    boxed.settings.lower = {-50};
    boxed.settings.upper = {50};
    mixed.settings.lambda2 = 0;  // classes that overlap
    for (const SmallProblem& s : {ridge, lasso, boxed, mixed})
      EXPECT_FALSE(has_note(fit_it(s), "separated perfectly")) << loss;
  }
}

TEST(FitSettings, a_gap_below_rounding_stops_at_the_floor_and_says_so) {
  for (const char* loss : all_losses)
    for (const double gap : {0.0, 1e-300, 1e-17}) {
      SmallProblem s = small_sample(loss);
      s.settings.lambda0 = 0;  // convex: only rounding keeps the gap open
      s.settings.lambda2 = 0.1;
      s.settings.gap = gap;
      const Result result = fit_it(s);
      ASSERT_GT(result.relative_gap, gap) << loss;
      EXPECT_LE(result.relative_gap, 1e-9) << loss;
      EXPECT_TRUE(has_note(result, "gap: ")) << loss;
      EXPECT_TRUE(has_note(result, "below rounding")) << loss;
      EXPECT_NE(result.status, Status::Optimal);
      s.settings.gap = 1e-6;
      EXPECT_FALSE(has_note(fit_it(s), "below rounding")) << loss;
      EXPECT_EQ(fit_it(s).status, Status::Optimal);
    }
}

TEST(FitSettings, a_gap_that_is_open_for_other_reasons_is_not_blamed_on_rounding) {
  SmallProblem s = small_sample("logistic");
  s.settings.gap = 0;
  s.settings.lambda2 = 0.1;
  const Result open = fit_it(s);
  ASSERT_GT(open.relative_gap, 1e-6);
  EXPECT_FALSE(has_note(open, "below rounding"));
  s.settings.lambda0 = 0;
  s.settings.time_limit = 0;
  const Result stopped = fit_it(s);
  EXPECT_EQ(stopped.status, Status::TimeLimit);
  EXPECT_FALSE(has_note(stopped, "below rounding"));
}

}  // namespace
}  // namespace ellzero
