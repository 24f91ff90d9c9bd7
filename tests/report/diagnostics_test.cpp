// Residual quantiles, ROC curve and calibration against their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "report/diagnostics.hpp"

namespace ellzero::report {
namespace {

TEST(Diagnostics, the_normal_quantile_inverts_the_distribution) {
  for (const double p : {1e-12, 1e-3, 0.1, 0.5, 0.8, 0.975, 0.999999}) {
    const double x = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)), p, 1e-12 * p + 1e-15);
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
}

TEST(Diagnostics, the_area_is_the_share_of_pairs_in_order) {
  std::mt19937 numbers(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<double> score(40);
    std::vector<char> positive(40);
    for (std::size_t i = 0; i < score.size(); ++i) {
      positive[i] = i < 15 ? 1 : 0;
      score[i] = static_cast<double>(numbers() % 8) + positive[i];  // many ties
    }
    double in_order = 0;
    for (std::size_t a = 0; a < 15; ++a)
      for (std::size_t b = 15; b < 40; ++b) in_order += score[a] > score[b] ? 1 : score[a] == score[b] ? 0.5 : 0;
    const Roc curve = roc_curve(score, positive);
    EXPECT_NEAR(area_under(curve), in_order / (15 * 25), 1e-12);
    EXPECT_EQ(curve.front(), std::make_pair(0.0, 0.0));
    EXPECT_EQ(curve.back(), std::make_pair(1.0, 1.0));
  }
}

TEST(Diagnostics, one_class_alone_has_no_area) {
  EXPECT_TRUE(std::isnan(area_under(roc_curve(std::vector<double>{1, 2}, std::vector<char>{1, 1}))));
}

TEST(Diagnostics, calibration_counts_every_sample_once) {
  const std::vector<double> probability = {0, 0.05, 0.55, 0.56, 1};
  const std::vector<char> positive = {0, 1, 1, 0, 1};
  const auto bins = calibration(probability, positive, 10);
  ASSERT_EQ(bins.size(), 3U);
  EXPECT_EQ(bins[0].count, 2);
  EXPECT_DOUBLE_EQ(bins[0].predicted, 0.025);
  EXPECT_DOUBLE_EQ(bins[1].observed, 0.5);
  EXPECT_EQ(bins[2].count, 1);
}

TEST(Diagnostics, r_squared_is_1_for_a_perfect_fit_0_for_the_mean_and_unknown_for_a_constant) {
  const std::vector<double> y = {1, 2, 6}, mean = {3, 3, 3};
  EXPECT_EQ(r_squared(y, y), 1);
  EXPECT_EQ(r_squared(y, mean), 0);
  EXPECT_TRUE(std::isnan(r_squared(mean, mean)));
}

TEST(Diagnostics, what_is_spread_out_has_both_ends) {
  EXPECT_EQ(spread_out(3, 10), (std::vector<std::size_t>{0, 1, 2}));
  const auto few = spread_out(100000, 7);
  EXPECT_EQ(few.size(), 7U);
  EXPECT_EQ(few.front(), 0U);
  EXPECT_EQ(few.back(), 99999U);
}

}  // namespace
}  // namespace ellzero::report
