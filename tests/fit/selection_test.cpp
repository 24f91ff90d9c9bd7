// choose(): how far it looks, the laws of folds and rules, interrupts, and every refusal.
#include "ellzero/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "ellzero/ellzero.hpp"
#include "fit/small_sample.hpp"
#include "select/choice.hpp"
#include "select/size_bounds.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

/// 300 x 60, of which the first `features` are true.
SmallProblem sample_with(Index features) {
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 300;
  s.p = 60;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) {
    double signal = 0;
    for (Index j = 0; j < features; ++j) signal += s.x[j * s.n + i];
    s.y.push_back(signal + normal(rng));
  }
  s.settings.threads = 1;
  s.settings.folds = 3;
  return s;
}

TEST(Choice, looks_at_larger_models_only_while_the_scores_ask_for_them) {
  for (const std::string select : {"cv", "ebic"}) {
    SmallProblem few = sample_with(3), many = sample_with(30);
    few.settings.select = many.settings.select = select;
    const Selection small = choose(few.dataset(), few.settings), large = choose(many.dataset(), many.settings);
    EXPECT_EQ(std::ssize(small.path.models[small.chosen].support), 3) << select;
    EXPECT_GT(std::ssize(small.path.models.back().support), 20);
    EXPECT_LT(std::ssize(small.path.models.back().support), 40);
    EXPECT_GE(std::ssize(large.path.models[large.chosen].support), 30) << select;
    EXPECT_GT(std::ssize(large.path.models.back().support), 40);
    few.settings.max_nonzeros = 5;
    EXPECT_LT(std::ssize(choose(few.dataset(), few.settings).path.models.back().support), 10);
  }
}

TEST(Folds, depend_on_the_seed_alone) {
  SmallProblem s = path_sample("squared");
  s.settings.grid_size = 1;
  s.settings.repeats = 3;
  const Selection first = choose(s.dataset(), s.settings);
  EXPECT_EQ(first.folds, choose(s.dataset(), s.settings).folds);
  EXPECT_NE(first.folds[0], first.folds[1]);
  s.settings.seed = 1;
  EXPECT_NE(first.folds[0], choose(s.dataset(), s.settings).folds[0]);
}

TEST(Folds, are_of_even_size_and_share_out_every_class) {
  for (const std::string loss : all_losses) {
    SmallProblem s = weighted_sample(loss);
    s.settings.grid_size = 1;
    s.settings.folds = 7;
    const auto fold_of = choose(s.dataset(), s.settings).folds[0];
    EXPECT_EQ(fold_of[3], -1);  // of weight 0
    std::map<double, std::vector<int>> counts;
    std::vector<int> sizes(7);
    for (Index i = 0; i < s.n; ++i) {
      if (i == 3) continue;
      auto& count = counts[loss == "squared" ? 0 : s.y[i]];
      count.resize(7);
      ++count[fold_of[i]];
      ++sizes[fold_of[i]];
    }
    counts[99] = sizes;
    for (const auto& [label, count] : counts) {
      const auto [low, high] = std::minmax_element(count.begin(), count.end());
      EXPECT_LE(*high - *low, 1) << loss << label;
    }
  }
}

TEST(Folds, never_take_all_of_a_small_class) {
  SmallProblem s = path_sample("logistic");
  std::fill(s.y.begin(), s.y.end(), 0);
  s.y[5] = s.y[20] = 1;
  s.settings.grid_size = 2;
  for (s.settings.seed = 0; s.settings.seed < 20; ++s.settings.seed)
    EXPECT_NO_THROW(choose(s.dataset(), s.settings)) << s.settings.seed;
}

TEST(Rules, pairs_of_scores_tell_what_folds_have_in_common_from_differences) {
  // Three models on four folds: the best, one that is worse by the same everywhere, and one that is now and then.
  std::vector<select::FoldScores> folds;
  for (const double hard : {1.0, 5.0, 2.0, 9.0}) {
    const double luck = hard > 4 ? 0.3 : -0.2;
    folds.push_back({1, {hard, hard + 0.1, hard + 0.05 + luck}, {4, 4, 4}});
  }
  const auto curve = select::curve(folds, 3, 4);
  const auto paired = select::paired_errors(folds, 3, 0, 4);
  EXPECT_NEAR(paired[0], 0, 1e-12);
  EXPECT_NEAR(paired[1], 0, 1e-12);
  EXPECT_NEAR(paired[2], 0.25 / std::sqrt(3), 1e-12);
  std::vector<select::Candidate> models;
  for (std::size_t m = 0; m < 3; ++m)
    models.push_back({curve.mean[m], curve.standard_error[m], static_cast<Index>(3 - m), 1, paired[m]});
  EXPECT_EQ(select::within_one_error(models, 0), 2u);
  EXPECT_EQ(select::as_good(models, 0, 1), 2u);    // that its features are worth having is not clear
  EXPECT_EQ(select::as_good(models, 0, 0.1), 0u);  // a quarter of what samples leave open is too little
  auto more = models;
  more.push_back({9, 1, 0, 2, 0});
  EXPECT_EQ(select::as_good(more, 0, 1), 0u);  // some features are clearly worth more than others
  const double all = select::sample_error(folds, 0, 4);
  EXPECT_NEAR(all, std::sqrt((4 + 111.0 / 4 - 4.25 * 4.25) / 4), 1e-12);
  folds[1].variance[0] = oracle::nan;  // an area under a curve is no mean of samples
  EXPECT_TRUE(std::isnan(select::sample_error(folds, 0, 4)));
  EXPECT_EQ(select::as_good(models, 0, oracle::nan), 2u);
}

TEST(Rules, evidence_of_all_samples_counts_where_it_is_overwhelming) {
  const std::vector<select::Candidate> models = {{1, 0.1, 2, 3}, {1.1, 0.1, 5, 2}, {1.2, 0.1, 9, 1}};
  EXPECT_EQ(select::with_evidence(models, std::vector<double>{0, -20, -10}, 0), 1u);
  EXPECT_EQ(select::with_evidence(models, std::vector<double>{0, -7, -5}, 0), 0u);  // not by so much
  EXPECT_EQ(select::with_evidence(models, std::vector<double>{-20, 0, 0}, 1), 1u);  // never for fewer features
  EXPECT_TRUE(select::is_evident(std::vector<double>{0, -1, 5}, 0));
  EXPECT_FALSE(select::is_evident(std::vector<double>{0, -3, 5}, 0));
}

TEST(Rules, folds_without_a_score_do_not_count) {
  const std::vector<select::FoldScores> folds = {
      {1, {1, 4}, {0, 0}}, {1, {2, 6}, {0, 0}}, {2, {3, oracle::nan}, {0, 0}}};
  const auto curve = select::curve(folds, 2, 2);
  EXPECT_EQ(curve.mean[0], 2.25);
  EXPECT_EQ(curve.mean[1], 5);
}

TEST(Rules, bounds_of_prices_and_budgets_hold_for_every_size) {
  select::SizeBounds bounds;
  EXPECT_EQ(bounds.of(3), 0);
  bounds.at_price(2, 10);
  EXPECT_NEAR(bounds.of(1), 8, 1e-12);
  EXPECT_LT(bounds.of(1), 8);  // rounding is allowed for
  EXPECT_EQ(bounds.of(7), 0);
  bounds.up_to(4, 5);
  EXPECT_EQ(bounds.of(4), 5);
  EXPECT_NEAR(bounds.of(2), 6, 1e-12);
  EXPECT_EQ(bounds.of(5), 0);
}

TEST(Folds, of_the_user_are_taken_as_they_are) {
  SmallProblem s = path_sample("squared");
  std::vector<Split> splits(2);
  for (Index i = 0; i < s.n; ++i) {
    if (i < 20) splits[0].train.push_back(i);
    else splits[0].test.push_back(i);
    if (i >= 10) splits[1].train.push_back(i);
    else splits[1].test.push_back(i);
  }
  Dataset data = s.dataset();
  data.splits = splits;
  s.settings.lambda0_grid = {0.5};
  s.settings.lambda2 = 1;
  s.settings.relax = 0;
  const Selection found = choose(data, s.settings);
  EXPECT_EQ(found.fold_count, 2);
  EXPECT_EQ(found.repeats, 1);
  EXPECT_TRUE(found.folds.empty());
  splits[1].test.push_back(s.n);
  EXPECT_THROW(choose(data, s.settings), Error);
  splits[1].test = {};
  EXPECT_THROW(choose(data, s.settings), Error);
}

TEST(Rules, one_strong_feature_does_not_hide_the_others) {
  std::mt19937_64 rng(3);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 400;
  s.p = 30;
  for (Index i = 0; i < s.n * s.p; ++i) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) {
    double y = 60 * s.x[i] + normal(rng);
    for (Index j = 1; j < 16; ++j) y += s.x[j * s.n + i];
    s.y.push_back(y);
  }
  const Selection found = choose(s.dataset(), s.settings);
  const auto& support = found.path.models[found.chosen].support;
  ASSERT_EQ(support.size(), 16u);
  EXPECT_EQ(support.back(), 15);
  EXPECT_EQ(found.repeats, 5);
}

TEST(Relaxed, coefficients_are_between_the_solution_and_its_refit) {
  for (const bool standardize : {true, false}) {
    SmallProblem s = path_sample("squared");
    s.settings.standardize = standardize;
    s.settings.lambda0 = 0.5;
    s.settings.lambda2 = 2;
    const Result plain = fit(s.dataset(), s.settings);
    ASSERT_GT(plain.support.size(), 1u);
    EXPECT_FALSE(plain.penalised);
    s.settings.relax = 1;
    const Result whole = fit(s.dataset(), s.settings);
    s.settings.relax = 0.25;
    const Result part = fit(s.dataset(), s.settings);
    ASSERT_EQ(part.support, plain.support);
    ASSERT_TRUE(part.penalised);
    EXPECT_EQ(part.objective, plain.objective);
    EXPECT_EQ(part.penalised->coefficients, plain.coefficients);
    EXPECT_NO_THROW(verify_objective(s.dataset(), s.settings, claim_of(part)));
    std::vector<double> slope(part.support.size(), 0.0);  // of the loss, at the refit
    double total = 0;
    for (Index i = 0; i < s.n; ++i) {
      double residual = whole.intercept - s.y[i];
      for (std::size_t c = 0; c < slope.size(); ++c)
        residual += whole.coefficients[c] * s.x[whole.support[c] * s.n + i];
      total += residual;
      for (std::size_t c = 0; c < slope.size(); ++c) slope[c] += residual * s.x[whole.support[c] * s.n + i];
    }
    EXPECT_NEAR(total, 0, 1e-8);
    for (std::size_t c = 0; c < slope.size(); ++c) {
      EXPECT_NEAR(slope[c], 0, 1e-6);
      EXPECT_NEAR(part.coefficients[c], 0.75 * plain.coefficients[c] + 0.25 * whole.coefficients[c], 1e-9);
    }
  }
}

TEST(Rules, choose_the_best_or_the_sparsest_within_one_error) {
  for (const std::string metric : {"deviance", "accuracy", "auc"}) {
    SmallProblem s = path_sample("logistic", 3);
    s.settings.metric = metric;
    s.settings.grid_size = 30;
    s.settings.repeats = 2;
    s.settings.rule = "1se";
    const double sign = metric == "deviance" ? 1 : -1;
    const Selection one_error = choose(s.dataset(), s.settings);
    s.settings.rule = "min";
    const Selection least = choose(s.dataset(), s.settings);
    EXPECT_EQ(least.best, least.chosen);
    EXPECT_EQ(least.best, one_error.best);
    const auto& models = one_error.path.models;
    const double limit = sign * one_error.score[one_error.best] + one_error.standard_error[one_error.best];
    for (std::size_t m = 0; m < models.size(); ++m) {
      EXPECT_GE(sign * one_error.score[m], sign * one_error.score[one_error.best]);
      if (sign * one_error.score[m] > limit) continue;
      EXPECT_GE(models[m].support.size(), models[one_error.chosen].support.size()) << metric;
      if (models[m].support.size() == models[one_error.chosen].support.size()) {
        EXPECT_LE(models[m].lambda0, models[one_error.chosen].lambda0);
      }
    }
    EXPECT_LE(sign * one_error.score[one_error.chosen], limit);
  }
}

/// Interrupts once so many folds are done.
struct Interrupting : Observer {
  explicit Interrupting(Index folds) : folds_(folds) {}
  void on_progress(const Progress& progress) override {
    if (progress.stage == "cross-validation") done_ = progress.point;
  }
  bool should_stop() override { return done_ >= folds_; }

 private:
  Index folds_;
  Index done_ = 0;
};

TEST(CrossValidation, keeps_what_is_there_when_it_is_interrupted) {
  SmallProblem s = path_sample("logistic");
  s.settings.repeats = 10000;
  Interrupting observer(7);
  const Selection found = choose(s.dataset(), s.settings, &observer);
  EXPECT_EQ(found.status, Status::Interrupted);
  for (const double score : found.score) EXPECT_TRUE(std::isfinite(score));
}

TEST(CrossValidation, chooses_the_last_model_when_it_is_interrupted_before_any_score) {
  SmallProblem s = path_sample("logistic");
  Interrupting observer(0);
  const Selection found = choose(s.dataset(), s.settings, &observer);
  EXPECT_EQ(found.status, Status::Interrupted);
  ASSERT_FALSE(found.path.models.empty());
  ASSERT_EQ(found.score.size(), found.path.models.size());
  EXPECT_EQ(found.chosen, std::ssize(found.path.models) - 1);
  EXPECT_TRUE(std::isnan(found.score.back()));
}

TEST(CrossValidation, ends_at_the_time_limit) {
  SmallProblem s = path_sample("squared");
  s.settings.repeats = 100000;
  s.settings.time_limit = 0.3;
  const Selection found = choose(s.dataset(), s.settings);
  EXPECT_EQ(found.status, Status::TimeLimit);
}

struct Throwing : Observer {
  void on_progress(const Progress& progress) override {
    if (progress.stage == "cross-validation") throw std::runtime_error("enough");
  }
};

TEST(CrossValidation, unwinds_when_the_observer_throws) {
  SmallProblem s = path_sample("squared");
  s.settings.repeats = 10000;
  Throwing observer;
  EXPECT_THROW(choose(s.dataset(), s.settings, &observer), std::runtime_error);
}

void expect_choice_refused(const SmallProblem& s, ErrorCode code, const std::string& message) {
  expect_refused(code, {message}, [&] { return choose(s.dataset(), s.settings); });
}

TEST(ChoiceRefusal, metric_of_another_loss) {
  SmallProblem s = path_sample("squared");
  s.settings.metric = "auc";
  expect_choice_refused(s, ErrorCode::Usage, "metric: value is auc; expected mse or mae for squared loss");
  s = path_sample("logistic");
  s.settings.metric = "mse";
  expect_choice_refused(s, ErrorCode::Usage,
                        "metric: value is mse; expected deviance, accuracy or auc for logistic loss");
}

TEST(ChoiceRefusal, more_folds_than_samples) {
  SmallProblem s = weighted_sample("squared");
  s.settings.folds = 40;
  expect_choice_refused(s, ErrorCode::Usage,
                        "folds: value is 40; expected 2 to 39, the number of samples of positive weight");
}

TEST(ChoiceRefusal, a_class_that_training_would_lose) {
  SmallProblem s = path_sample("logistic");
  std::fill(s.y.begin(), s.y.end(), 0);
  s.y[5] = 1;
  expect_choice_refused(s, ErrorCode::Data, "y: class 1 has 1 sample; expected at least 2 for cross-validation");
  s.y[6] = 1;
  s.settings.metric = "auc";
  EXPECT_EQ(choose(s.dataset(), s.settings).fold_count, 2);
  s.settings.folds = 5;
  expect_choice_refused(s, ErrorCode::Usage, "folds: value is 5; expected at most 2, the number of samples of class 1");
}

TEST(ChoiceRefusal, a_price_that_is_set) {
  SmallProblem s = path_sample("squared");
  s.settings.lambda0 = 1;
  expect_choice_refused(s, ErrorCode::Usage, "lambda0: ");
}

TEST(ChoiceRefusal, targets_of_the_wrong_kind) {
  SmallProblem s = path_sample("squared");
  s.settings.loss = "logistic";
  expect_choice_refused(s, ErrorCode::Data, "y[0]: value is ");
}

TEST(Choice, fit_and_prove_choose_where_nothing_is_said) {
  const SmallProblem s = sample_with(3);
  const Selection chosen = choose(s.dataset(), s.settings);
  const Result& model = chosen.path.models[static_cast<std::size_t>(chosen.chosen)];
  ProofCheck check(s.dataset(), settings_of(model, s.settings));
  for (const Result& result : {fit(s.dataset(), s.settings), prove(s.dataset(), s.settings, nullptr, &check)}) {
    ASSERT_NE(result.selection, nullptr);
    EXPECT_EQ(result.selection->chosen, chosen.chosen);
    EXPECT_EQ(result.selection->score, chosen.score);
    EXPECT_EQ(result.support, model.support);
    EXPECT_EQ(result.lambda0, model.lambda0);
    EXPECT_EQ(result.status, Status::Optimal);
    EXPECT_LE(result.objective, model.objective);
  }
  EXPECT_NO_THROW(check.require(prove(s.dataset(), s.settings).lower_bound));
}

TEST(Choice, one_that_is_cut_short_is_not_proved) {
  SmallProblem s = sample_with(30);
  s.settings.time_limit = 0;
  const Result result = prove(s.dataset(), s.settings);
  ASSERT_NE(result.selection, nullptr);
  EXPECT_EQ(result.status, Status::TimeLimit);
  EXPECT_EQ(result.nodes, 0);
  EXPECT_FALSE(result.notes.empty());
}

TEST(Choice, a_budget_is_chosen_with_its_own_proof) {
  SmallProblem s = sample_with(3);
  s.settings.k = 5;
  const Selection sizes = choose(s.dataset(), s.settings);
  EXPECT_EQ(std::ssize(sizes.path.models), 6);
  EXPECT_EQ(prove(s.dataset(), s.settings).selection, nullptr);  // one model of k features was asked for
}

}  // namespace
}  // namespace ellzero
