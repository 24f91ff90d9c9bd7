// choose() by a criterion: hand calculations, weights as counts, and fits that leave nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "ellzero/selection.hpp"
#include "fit/small_sample.hpp"
#include "loss/all.hpp"
#include "select/criteria.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

SmallProblem sample(const std::string& loss, const std::string& criterion) {
  SmallProblem s = small_sample(loss);
  s.settings.lambda0.reset();
  s.settings.grid_size = 5;
  s.settings.select = criterion;
  return s;
}

TEST(Criteria, of_numbers_worked_out_by_hand) {
  // 100 samples, 20 features, a model of 3 and an intercept; RSS = 50, so n log(RSS/n) = 100 log(1/2) = -69.3147181.
  const select::FitSummary fit{25, 100, 1e4, 20, 3, true};
  const auto squared = [&](const char* name) { return select::criterion<loss::Squared>(name, fit); };
  EXPECT_NEAR(squared("aic"), -69.314718056 + 8, 1e-8);
  EXPECT_NEAR(squared("bic"), -69.314718056 + 4 * 4.605170186, 1e-8);
  EXPECT_NEAR(squared("ebic"), -69.314718056 + 4 * 4.605170186 + 2 * std::log(1140), 1e-8);  // 20 choose 3
  EXPECT_NEAR(squared("gic"), -69.314718056 + 4 * 2.995732274 * 1.527179626, 1e-7);          // log 20, log log 100
  EXPECT_NEAR(select::criterion<loss::Logistic>("aic", fit), 50 + 8, 1e-12);
  EXPECT_NEAR(select::criterion<loss::SmoothedHinge>("bic", fit), 50 + 4 * 4.605170186, 1e-8);
  select::FitSummary bare = fit;
  bare.intercept = false;
  EXPECT_NEAR(select::criterion<loss::Squared>("aic", bare), -69.314718056 + 6, 1e-8);
}

TEST(Criteria, of_models_are_computed_from_their_predictions) {
  for (const std::string loss : all_losses)
    for (const std::string name : {"aic", "bic", "ebic", "gic"}) {
      SmallProblem s = sample(loss, name);
      for (Index i = 0; i < s.n; ++i) s.offset.push_back(0.01 * static_cast<double>(i));
      const Selection found = choose(s.dataset(), s.settings);
      EXPECT_EQ(found.by, name);
      EXPECT_EQ(found.metric, name);
      EXPECT_EQ(found.rule, "min");
      EXPECT_TRUE(found.standard_error.empty());
      EXPECT_EQ(found.best, found.chosen);
      EXPECT_EQ(found.path.models[found.chosen].support, (std::vector<Index>{1, 4})) << loss << name;
      for (std::size_t m = 0; m < found.score.size(); ++m) {
        const Result& model = found.path.models[m];
        double sum = 0;
        for (Index i = 0; i < s.n; ++i) {
          double u = s.offset[i] + model.intercept;
          for (std::size_t c = 0; c < model.support.size(); ++c)
            u += s.x[model.support[c] * s.n + i] * model.coefficients[c];
          sum += oracle::plain_loss(s.settings, u, s.y[i]);
        }
        const auto size = static_cast<double>(model.support.size());
        double choices = 1;
        for (double k = 1; k <= size; ++k) choices *= (6 - size + k) / k;
        const std::map<std::string, double> price = {{"aic", 2 * (size + 1)},
                                                     {"bic", std::log(40) * (size + 1)},
                                                     {"ebic", std::log(40) * (size + 1) + 2 * std::log(choices)},
                                                     {"gic", std::log(std::log(40)) * std::log(6) * (size + 1)}};
        const double fit = loss == "squared" ? 40 * std::log(2 * sum / 40) : 2 * sum;
        EXPECT_NEAR(found.score[m], fit + price.at(name), 1e-8 * (1 + std::abs(fit)));
        EXPECT_GE(found.score[m], found.score[found.best]);
      }
    }
}

TEST(Criteria, count_a_row_of_weight_two_as_two_rows) {
  SmallProblem s = sample("squared", "bic");
  s.settings.lambda0_grid = {10, 1, 0.1};
  SmallProblem t = s;
  t.n += 1;
  t.x.clear();
  for (Index j = 0; j < s.p; ++j)
    for (Index i = 0; i < t.n; ++i) t.x.push_back(s.x[j * s.n + std::min(i, s.n - 1)]);
  t.y.push_back(t.y.back());
  s.weights.assign(s.y.size(), 1.0);
  s.weights.back() = 2;
  const Selection weighted = choose(s.dataset(), s.settings), repeated = choose(t.dataset(), t.settings);
  ASSERT_EQ(weighted.score.size(), repeated.score.size());
  for (std::size_t m = 0; m < weighted.score.size(); ++m)
    EXPECT_NEAR(weighted.score[m], repeated.score[m], 1e-6 * std::abs(repeated.score[m]));
  EXPECT_EQ(weighted.chosen, repeated.chosen);
}

TEST(Criteria, see_only_how_weights_compare_where_they_are_no_counts) {
  for (const std::string loss : all_losses) {
    SmallProblem s = sample(loss, "bic");
    s.settings.lambda2.reset();
    const Selection plain = choose(s.dataset(), s.settings);
    s.weights.assign(s.y.size(), 1.0 / 64);
    const Selection scaled = choose(s.dataset(), s.settings);
    ASSERT_EQ(plain.score.size(), scaled.score.size());
    for (std::size_t m = 0; m < plain.score.size(); ++m)
      EXPECT_NEAR(scaled.score[m], plain.score[m], 1e-5 * (1 + std::abs(plain.score[m]))) << loss << m;
    EXPECT_EQ(plain.chosen, scaled.chosen);
  }
}

TEST(Criteria, prefer_the_smallest_of_perfect_fits) {
  SmallProblem s = sample("squared", "bic");
  for (Index i = 0; i < s.n; ++i) s.y[i] = 3 * s.x[s.n + i];
  s.settings.lambda2 = 0;
  s.settings.lambda0_grid = {1, 1e-3, 1e-12, 0};
  const Selection found = choose(s.dataset(), s.settings);
  EXPECT_EQ(found.path.models[found.chosen].support, (std::vector<Index>{1}));
  for (const double score : found.score) EXPECT_TRUE(std::isfinite(score));
  std::fill(s.y.begin(), s.y.end(), 0);
  const Selection nothing = choose(s.dataset(), s.settings);
  EXPECT_TRUE(nothing.path.models[nothing.chosen].support.empty());
}

TEST(Criteria, give_a_model_of_as_many_parameters_as_samples_no_chance) {
  const select::FitSummary fit{1e-9, 10, 1e4, 20, 9, true};
  EXPECT_TRUE(std::isinf(select::criterion<loss::Squared>("bic", fit)));
  EXPECT_TRUE(std::isfinite(select::criterion<loss::Logistic>("bic", fit)));
}

}  // namespace
}  // namespace ellzero
