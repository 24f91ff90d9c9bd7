// Laws of fit() that users count on: equivariance, the same bits for any threads, limits that keep valid answers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ellzero/error.hpp"
#include "ellzero/evaluate.hpp"
#include "ellzero/fit.hpp"

namespace ellzero {
namespace {

/// A regression or classification problem with a sparse signal, large enough that the working set and search do work.
struct Wide {
  Index n = 60, p = 300;
  std::vector<double> x, y;
  Settings settings;

  explicit Wide(std::uint64_t seed, const std::string& loss = "squared") {
    std::mt19937_64 rng(seed);
    std::normal_distribution<double> normal;
    for (Index k = 0; k < n * p; ++k) x.push_back(normal(rng));
    for (Index i = 0; i < n; ++i) {
      double signal = 0.5 * normal(rng);
      for (Index j = 0; j < 6; ++j) signal += (j % 2 == 0 ? 1 : -1) * x[j * 40 * n + i];
      const double low = loss == "logistic" ? 0 : -1;
      y.push_back(loss == "squared" ? signal + 3 : signal > 0 ? 1 : low);
    }
    settings.loss = loss;
    settings.lambda0 = loss == "squared" ? 3 : 0.3;
    settings.lambda1 = 0.1;
    settings.lambda2 = 0.5;
    settings.threads = 1;
  }
  [[nodiscard]] Dataset dataset() const { return {column_major(x.data(), n, p), y}; }
  [[nodiscard]] Result fit_it() const { return fit(dataset(), settings); }
};

const char* const losses[] = {"squared", "logistic", "smoothed-hinge"};

void expect_same_answer(const Result& a, const Result& b, double tolerance) {
  EXPECT_NEAR(a.objective, b.objective, tolerance * a.objective);
  EXPECT_NEAR(a.lower_bound, b.lower_bound, 1e-8 * a.objective);
  EXPECT_EQ(a.support, b.support);
}

TEST(FitLaws, same_bits_for_any_number_of_threads) {
  for (const char* loss : losses) {
    Wide w(1, loss);
    const Result one = w.fit_it();
    EXPECT_GE(one.support.size(), 2U);
    for (const int threads : {2, 8}) {
      w.settings.threads = threads;
      const Result many = w.fit_it();
      EXPECT_EQ(many.objective, one.objective);
      EXPECT_EQ(many.lower_bound, one.lower_bound);
      EXPECT_EQ(many.support, one.support);
      EXPECT_EQ(many.coefficients, one.coefficients);
      EXPECT_EQ(many.intercept, one.intercept);
      EXPECT_EQ(many.verdicts, one.verdicts);
    }
  }
}

TEST(FitLaws, permuted_columns_give_the_permuted_answer) {
  for (const char* loss : losses) {
    const Wide w(2, loss);
    Wide reversed = w;
    for (Index j = 0; j < w.p; ++j) std::copy_n(w.x.begin() + j * w.n, w.n, reversed.x.begin() + (w.p - 1 - j) * w.n);
    const Result a = w.fit_it();
    Result b = reversed.fit_it();
    for (Index& j : b.support) j = w.p - 1 - j;
    std::reverse(b.support.begin(), b.support.end());
    expect_same_answer(a, b, 1e-9);
  }
}

TEST(FitLaws, scaled_and_flipped_columns_give_scaled_and_flipped_coefficients) {
  for (const char* loss : losses) {
    const Wide w(3, loss);
    Wide scaled = w;
    const auto factor = [](Index j) { return (j % 3 == 0 ? -1 : 1) * std::pow(10.0, static_cast<double>(j % 7) - 3); };
    for (Index j = 0; j < w.p; ++j)
      for (Index i = 0; i < w.n; ++i) scaled.x[j * w.n + i] *= factor(j);
    const Result a = w.fit_it(), b = scaled.fit_it();
    expect_same_answer(a, b, 1e-9);
    for (std::size_t c = 0; c < a.support.size(); ++c)
      EXPECT_NEAR(a.coefficients[c], b.coefficients[c] * factor(a.support[c]), 1e-6 * std::abs(a.coefficients[c]));
  }
}

TEST(FitLaws, sparse_float_and_row_major_agree_with_dense) {
  for (const char* loss : losses) {
    Wide w(4, loss);
    for (std::size_t k = 0; k < w.x.size(); ++k)
      w.x[k] = k % 3 == 0 ? 0 : static_cast<double>(static_cast<float>(w.x[k]));
    const Result expected = w.fit_it();
    std::vector<std::int32_t> indptr{0}, indices;
    std::vector<double> values, rows(w.x.size());
    for (Index j = 0; j < w.p; ++j) {
      for (Index i = 0; i < w.n; ++i) {
        rows[i * w.p + j] = w.x[j * w.n + i];
        if (w.x[j * w.n + i] == 0) continue;
        indices.push_back(static_cast<std::int32_t>(i));
        values.push_back(w.x[j * w.n + i]);
      }
      indptr.push_back(static_cast<std::int32_t>(values.size()));
    }
    const std::vector<float> as_float(w.x.begin(), w.x.end());
    for (const Matrix& X : {Matrix(column_major(as_float.data(), w.n, w.p)), Matrix(row_major(rows.data(), w.n, w.p)),
                            Matrix(SparseMatrix<double, std::int32_t>{w.n, w.p, indptr, indices, values})})
      expect_same_answer(expected, fit({X, w.y}, w.settings), 1e-9);
  }
}

TEST(FitLaws, objective_is_what_evaluate_says) {
  for (const char* loss : losses) {
    const Wide w(5, loss);
    const Result result = w.fit_it();
    std::vector<double> beta(static_cast<std::size_t>(w.p), 0.0);
    for (std::size_t c = 0; c < result.support.size(); ++c) beta[result.support[c]] = result.coefficients[c];
    const Evaluation judged = evaluate(w.dataset(), w.settings, beta);
    EXPECT_NEAR(judged.objective, result.objective, 1e-10 * result.objective);
    EXPECT_LE(judged.lower_bound, result.objective);
    EXPECT_GE(result.lower_bound, judged.lower_bound - 1e-9 * result.objective);  // max D is at least any D
  }
}

TEST(FitLaws, without_a_price_the_elastic_net_and_the_lasso_are_solved) {
  for (const char* loss : losses)
    for (const double ridge : {0.5, 0.0}) {
      Wide w(6, loss);
      w.settings.lambda0 = 0;
      w.settings.lambda1 = loss == losses[0] ? 2 : 0.5;
      w.settings.lambda2 = ridge;
      const Result result = w.fit_it();
      EXPECT_LE(result.relative_gap, 1e-8) << loss << " " << ridge;
      EXPECT_EQ(result.status, Status::Optimal);
    }
}

TEST(FitLaws, more_effort_is_never_worse) {
  for (std::uint64_t seed = 10; seed < 20; ++seed) {
    Wide w(seed);
    w.settings.lambda0 = 1;
    double before = std::numeric_limits<double>::infinity();
    for (const char* effort : {"quick", "default", "thorough"}) {
      w.settings.effort = effort;
      const Result result = w.fit_it();
      EXPECT_LE(result.objective, before * (1 + 1e-10));
      before = result.objective;
      if (w.settings.effort == "thorough") {
        EXPECT_TRUE(result.status == Status::SwapOptimal || result.status == Status::Optimal);
      }
    }
  }
}

TEST(FitLaws, the_first_of_identical_columns_is_used) {
  Wide w(7);
  for (const Index copy : {1, 5, 250}) std::copy_n(w.x.begin() + 80 * w.n, w.n, w.x.begin() + copy * w.n);
  const Result result = w.fit_it();
  EXPECT_TRUE(std::count(result.support.begin(), result.support.end(), 1) == 1);
  for (const Index copy : {80, 250}) EXPECT_EQ(std::count(result.support.begin(), result.support.end(), copy), 0);
  EXPECT_LE(result.lower_bound, result.objective);
}

struct Impatient : Observer {
  int asked = 0, told = 0, patience;
  explicit Impatient(int questions) : patience(questions) {}
  bool should_stop() override { return ++asked > patience; }
  void on_progress(const Progress& progress) override {
    ++told;
    EXPECT_GE(progress.seconds, 0);
  }
};

TEST(FitLimits, an_observer_can_stop_at_any_question_and_the_answer_stays_valid) {
  const Wide w(8);
  const Result full = w.fit_it();
  for (int questions = 0; questions < 40; ++questions) {
    Impatient observer(questions);
    const Result result = fit(w.dataset(), w.settings, &observer);
    if (observer.asked > questions && result.relative_gap > w.settings.gap) {
      EXPECT_EQ(result.status, Status::Interrupted);
    }
    EXPECT_LE(result.lower_bound, full.objective);
    EXPECT_GE(result.objective, full.lower_bound);
    EXPECT_TRUE(std::isfinite(result.objective));
  }
  Impatient patient(1 << 30);
  (void)fit(w.dataset(), w.settings, &patient);
  EXPECT_GE(patient.told, 2);
}

TEST(FitLimits, a_time_limit_of_zero_still_answers) {
  Wide w(9);
  w.settings.time_limit = 0;
  const Result result = w.fit_it();
  EXPECT_EQ(result.status, Status::TimeLimit);
  EXPECT_LE(result.lower_bound, result.objective);
}

struct Thrower : Observer {
  void on_progress(const Progress& /*progress*/) override { throw std::runtime_error("from the observer"); }
};

TEST(FitLimits, what_an_observer_throws_comes_through) {
  const Wide w(10);
  Thrower thrower;
  EXPECT_THROW((void)fit(w.dataset(), w.settings, &thrower), std::runtime_error);
}

TEST(FitCases, constant_target_means_intercept_only_with_gap_zero) {
  Wide w(11);
  w.y.assign(w.y.size(), 7.0);
  const Result result = w.fit_it();
  EXPECT_TRUE(result.support.empty());
  EXPECT_EQ(result.intercept, 7);
  EXPECT_EQ(result.gap, 0);
  EXPECT_EQ(result.status, Status::Optimal);
}

TEST(FitCases, one_row_has_a_defined_answer) {
  const std::vector<double> x = {2, 0, -1}, y = {4};
  Settings settings;
  settings.lambda0 = 0.1;
  EXPECT_EQ(fit({column_major(x.data(), 1, 3), y}, settings).objective, 0);
  settings.intercept = settings.standardize = false;
  settings.lambda2 = 0;
  const Result result = fit({column_major(x.data(), 1, 3), y}, settings);
  EXPECT_NEAR(result.objective, 0.1, 1e-9);
  EXPECT_EQ(result.support.size(), 1U);
}

TEST(FitCases, constant_columns_are_left_out_and_noted) {
  Wide w(12);
  std::fill_n(w.x.begin(), w.n, 5.0);
  std::fill_n(w.x.begin() + 40 * w.n, w.n, 0.0);
  const Result result = w.fit_it();
  ASSERT_FALSE(result.notes.empty());
  EXPECT_EQ(result.notes[0], "2 constant columns left out");
  EXPECT_EQ(result.verdicts[0], Verdict::Never);
  EXPECT_EQ(std::count(result.support.begin(), result.support.end(), 0), 0);
}

TEST(FitCases, perfect_separation_without_ridge_ends_with_a_note) {
  for (const char* loss : {"logistic", "smoothed-hinge"}) {
    const std::vector<double> x = {-2, -1, 1, 2, 0.3, -0.1, 0.2, 0.1};
    const double low = loss == std::string("logistic") ? 0 : -1;
    const std::vector<double> y = {low, low, 1, 1};
    Settings settings;
    settings.loss = loss;
    settings.lambda0 = 0.01;
    settings.lambda2 = 0;
    const Result result = fit({column_major(x.data(), 4, 2), y}, settings);
    EXPECT_LT(result.objective, 0.1);
    EXPECT_TRUE(std::isfinite(result.coefficients.at(0)));
    ASSERT_FALSE(result.notes.empty());
    EXPECT_NE(result.notes[0].find("separated perfectly"), std::string::npos);
  }
}

TEST(FitCases, a_box_that_binds_is_noted) {
  Wide w(13);
  w.settings.upper = {0.1};
  w.settings.lambda0 = 0.01;
  const Result result = w.fit_it();
  for (const double b : result.coefficients) EXPECT_LE(b, 0.1);
  EXPECT_TRUE(std::any_of(result.notes.begin(), result.notes.end(),
                          [](const std::string& note) { return note.find("at its bound") != std::string::npos; }));
}

TEST(FitCases, price_and_budget_exclude_each_other) {
  Wide w(14);
  w.settings.k = 3;
  EXPECT_THROW((void)w.fit_it(), Error);
  w.settings.lambda0.reset();
  EXPECT_LE(w.fit_it().support.size(), 3U);
  w.settings.k = w.p + 1;
  EXPECT_THROW((void)w.fit_it(), Error);
}

TEST(FitCases, a_gap_below_rounding_ends_at_the_floor) {
  Wide w(15);
  w.settings.lambda0 = 0;
  w.settings.gap = 0;
  const Result result = w.fit_it();
  EXPECT_LE(result.relative_gap, 1e-9);
}

}  // namespace
}  // namespace ellzero
