// The curve of choose() against a plain loop of single fits, for every loss, metric, storage and number of threads.
#include "ellzero/selection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "ellzero/fit.hpp"
#include "ellzero/predict.hpp"
#include "fit/small_sample.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

double weight_of(const SmallProblem& s, Index i) { return s.weights.empty() ? 1 : s.weights[i]; }

/// The rows that `keep` says, copied out.
SmallProblem rows_of(const SmallProblem& s, const std::vector<bool>& keep) {
  SmallProblem t;
  t.p = s.p;
  t.settings = s.settings;
  for (Index i = 0; i < s.n; ++i) {
    if (!keep[i]) continue;
    ++t.n;
    t.y.push_back(s.y[i]);
    if (!s.weights.empty()) t.weights.push_back(s.weights[i]);
    if (!s.offset.empty()) t.offset.push_back(s.offset[i]);
  }
  for (Index j = 0; j < s.p; ++j)
    for (Index i = 0; i < s.n; ++i)
      if (keep[i]) t.x.push_back(s.x[j * s.n + i]);
  return t;
}

double plain_auc(const std::vector<double>& u, const std::vector<double>& y, const std::vector<double>& w) {
  double right = 0, pairs = 0;
  for (std::size_t a = 0; a < u.size(); ++a)
    for (std::size_t b = 0; b < u.size(); ++b)
      if (y[a] > y[b]) {
        pairs += w[a] * w[b];
        right += w[a] * w[b] * (u[a] > u[b] ? 1 : u[a] == u[b] ? 0.5 : 0);
      }
  return right / pairs;
}

double plain_score(const std::string& metric, const SmallProblem& s, const std::vector<double>& u,
                   const std::vector<bool>& out) {
  std::vector<double> us, ys, ws;
  double sum = 0, total = 0;
  for (Index i = 0; i < s.n; ++i) {
    if (!out[i]) continue;
    us.push_back(u[i]);
    ys.push_back(s.y[i]);
    ws.push_back(weight_of(s, i));
    const double error = u[i] - s.y[i];
    const double value = metric == "mse"   ? error * error
                         : metric == "mae" ? std::abs(error)
                         : metric == "accuracy"
                             ? ((u[i] > 0) == (s.y[i] == 1) ? 1 : 0)
                             : oracle::plain_loss(s.settings, u[i], s.y[i]) * (s.settings.loss == "logistic" ? 2 : 1);
    sum += weight_of(s, i) * value;
    total += weight_of(s, i);
  }
  return metric == "auc" ? plain_auc(us, ys, ws) : sum / total;
}

/// The price at which the folds fit a model: of a grid made from the data, in the middle of where it is the best.
double fold_price(const SmallProblem& s, const std::vector<Result>& models, std::size_t m) {
  if (!s.settings.lambda0_grid.empty()) return *models[m].lambda0;
  const auto size = [&](std::size_t i) { return static_cast<double>(models[i].support.size()); };
  const auto change = [&](std::size_t i) {  // base_i + price size_i = base_{i+1} + price size_{i+1}
    const double base = models[i].objective - *models[i].lambda0 * size(i);
    const double next = models[i + 1].objective - *models[i + 1].lambda0 * size(i + 1);
    return (base - next) / (size(i + 1) - size(i));
  };
  std::size_t first = m, last = m;
  while (first > 0 && size(first - 1) == size(m)) --first;
  while (last + 1 < models.size() && size(last + 1) == size(m)) ++last;
  const double low = last + 1 < models.size() ? change(last) : *models[last].lambda0;
  return size(m) == 0 ? 1e3 * *models[first].lambda0 : std::sqrt(low * change(first - 1));
}

/// The curve by a plain loop: copied rows, one fit() for each model and fold.
void expect_plain_curve(SmallProblem s) {
  s.settings.repeats = s.settings.repeats.value_or(1);
  s.settings.relax = 0;
  const Selection found = choose(s.dataset(), s.settings);
  ASSERT_EQ(found.score.size(), found.path.models.size());
  ASSERT_EQ(found.folds.size(), static_cast<std::size_t>(*s.settings.repeats));
  double total = 0;
  for (Index i = 0; i < s.n; ++i) total += weight_of(s, i);
  for (std::size_t m = 0; m < found.path.models.size(); ++m) {
    const Result& model = found.path.models[m];
    std::vector<double> scores, weights;
    for (const auto& fold_of : found.folds)
      for (int fold = 0; fold < found.fold_count; ++fold) {
        std::vector<bool> in(s.y.size()), out(s.y.size());
        double weight = 0;
        for (Index i = 0; i < s.n; ++i) {
          out[i] = fold_of[i] == fold;
          in[i] = !out[i] && weight_of(s, i) > 0;
          if (out[i]) weight += weight_of(s, i);
        }
        SmallProblem training = rows_of(s, in);
        const double share = (total - weight) / total;
        if (model.lambda0) training.settings.lambda0 = share * fold_price(s, found.path.models, m);
        training.settings.k = model.k;
        training.settings.lambda1 = (s.settings.standardize ? std::sqrt(share) : share) * model.lambda1;
        training.settings.lambda2 = (s.settings.standardize ? 1 : share) * model.lambda2;
        const Result r = fit_it(training);
        const auto u = predict(s.dataset().X, s.offset, r.intercept, r.support, r.coefficients);
        scores.push_back(plain_score(found.metric, s, u, out));
        weights.push_back(weight);
      }
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    double mean = 0, spread = 0;
    for (std::size_t f = 0; f < scores.size(); ++f) mean += weights[f] * scores[f] / all;
    for (std::size_t f = 0; f < scores.size(); ++f) spread += weights[f] * std::pow(scores[f] - mean, 2) / all;
    EXPECT_NEAR(found.score[m], mean, 1e-6 * (1 + mean)) << s.settings.loss << " " << found.metric << " " << m;
    EXPECT_NEAR(found.standard_error[m], std::sqrt(spread / static_cast<double>(found.fold_count - 1)),
                1e-6 * (1 + mean));
  }
}

TEST(CrossValidation, equals_a_plain_loop_for_every_loss_and_metric) {
  const std::map<std::string, std::vector<std::string>> metrics = {{"squared", {"mse", "mae"}},
                                                                   {"logistic", {"deviance", "accuracy", "auc"}},
                                                                   {"smoothed-hinge", {"deviance", "accuracy", "auc"}}};
  for (const auto& [loss, names] : metrics)
    for (const std::string& metric : names) {
      SmallProblem s = weighted_sample(loss);
      s.settings.metric = metric;
      s.settings.grid_size = 4;
      expect_plain_curve(s);
    }
}

TEST(CrossValidation, equals_a_plain_loop_for_other_settings) {
  SmallProblem s = weighted_sample("squared");
  s.settings.lambda1 = 0.05;
  s.settings.standardize = false;
  s.settings.folds = 3;
  s.settings.repeats = 2;
  expect_plain_curve(s);
  s.settings.intercept = false;
  s.settings.standardize = true;
  expect_plain_curve(s);
  s.settings.k = 3;
  expect_plain_curve(s);
}

TEST(CrossValidation, leaves_one_out_with_as_many_folds_as_samples) {
  SmallProblem s = path_sample("squared");
  s.settings.folds = 40;
  s.settings.grid_size = 2;
  expect_plain_curve(s);
}

TEST(CrossValidation, settings_for_a_share_of_the_samples_ask_the_same_of_it) {
  // Every row twice is a sample of twice the size: with prices scaled as for folds the model is the same.
  for (const std::string loss : all_losses)
    for (const bool standardize : {true, false}) {
      SmallProblem s = small_sample(loss);
      s.settings.standardize = standardize;
      s.settings.lambda1 = 0.02;
      const Result once = fit_it(s);
      s.weights.assign(s.y.size(), 2.0);
      *s.settings.lambda0 *= 2;
      s.settings.lambda1 *= standardize ? std::sqrt(2.0) : 2;
      *s.settings.lambda2 *= standardize ? 1 : 2;
      const Result twice = fit_it(s);
      ASSERT_EQ(once.support, twice.support);
      EXPECT_NEAR(twice.objective, 2 * once.objective, 1e-9 * twice.objective);
      for (std::size_t c = 0; c < once.support.size(); ++c)
        EXPECT_NEAR(once.coefficients[c], twice.coefficients[c], 1e-5 * std::abs(once.coefficients[c]));
    }
}

TEST(CrossValidation, is_the_same_for_every_storage) {
  for (const std::string loss : all_losses) {
    SmallProblem s = weighted_sample(loss);
    for (std::size_t i = 0; i < s.x.size(); i += 3) s.x[i] = 0;
    for (const Result& model : path(s.dataset(), s.settings).models) s.settings.lambda0_grid.push_back(*model.lambda0);
    const Selection dense = choose(s.dataset(), s.settings);
    std::vector<double> rows, values;
    std::vector<std::int32_t> indptr{0}, indices;
    for (Index i = 0; i < s.n; ++i)
      for (Index j = 0; j < s.p; ++j) rows.push_back(s.x[j * s.n + i]);
    for (Index j = 0; j < s.p; ++j) {
      for (Index i = 0; i < s.n; ++i)
        if (s.x[j * s.n + i] != 0) {
          indices.push_back(static_cast<std::int32_t>(i));
          values.push_back(s.x[j * s.n + i]);
        }
      indptr.push_back(static_cast<std::int32_t>(indices.size()));
    }
    for (const Matrix& X : {Matrix(row_major(rows.data(), s.n, s.p)),
                            Matrix(SparseMatrix<double, std::int32_t>{s.n, s.p, indptr, indices, values})}) {
      auto data = s.dataset();
      data.X = X;
      const Selection other = choose(data, s.settings);
      ASSERT_EQ(other.score.size(), dense.score.size());
      for (std::size_t m = 0; m < dense.score.size(); ++m)
        EXPECT_NEAR(other.score[m], dense.score[m], 1e-6 * (1 + dense.score[m])) << loss << m;
    }
  }
}

TEST(CrossValidation, finds_the_true_features) {
  for (const std::string loss : all_losses) {
    const SmallProblem s = path_sample(loss);
    const Selection found = choose(s.dataset(), s.settings);
    EXPECT_EQ(found.path.models[found.chosen].support, (std::vector<Index>{1, 4})) << loss;
    EXPECT_EQ(found.metric, loss == "squared" ? "mse" : "deviance");
  }
}

TEST(CrossValidation, walks_grids_of_lambda2_as_well) {
  SmallProblem s = path_sample("squared");
  s.settings.lambda0_grid = {0.5, 0.1};
  s.settings.lambda2.reset();
  s.settings.lambda2_grid = {0.01, 1, 1};
  expect_plain_curve(s);
}

TEST(CrossValidation, is_the_same_to_the_last_bit_for_any_threads) {
  for (const std::string loss : all_losses) {
    SmallProblem s = weighted_sample(loss);
    s.settings.repeats = 2;
    const Selection one = choose(s.dataset(), s.settings);
    for (const int threads : {2, 8}) {
      s.settings.threads = threads;
      const Selection other = choose(s.dataset(), s.settings);
      EXPECT_EQ(one.score, other.score);
      EXPECT_EQ(one.standard_error, other.standard_error);
      EXPECT_EQ(one.folds, other.folds);
      EXPECT_EQ(one.chosen, other.chosen);
    }
  }
}

}  // namespace
}  // namespace ellzero
