// The public evaluate(): units, equivalences that users count on, and every refusal naming argument, value,
// expectation.
#include "ellzero/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "ellzero/error.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

using oracle::inf;
using oracle::nan;

std::vector<double> some_coefficients(const SmallProblem& s) {
  const oracle::Enumeration e(s);
  std::vector<double> beta;
  for (Index j = 0; j < s.p; ++j)
    beta.push_back(e.scale(j) == 0 || j % 3 == 1 ? 0 : 0.999 * std::clamp(0.7, e.lo(j), e.hi(j)) * e.scale(j));
  return beta;
}

TEST(Evaluate, agrees_with_the_oracle_in_user_units) {
  std::mt19937_64 rng(1);
  for (int round = 0; round < 1000; ++round) {
    const SmallProblem s = oracle::random_problem(rng, 8);
    const oracle::Enumeration e(s);
    const auto beta = some_coefficients(s);
    const Evaluation result = evaluate(s.dataset(), s.settings, beta);
    std::vector<double> scaled;
    double centred = result.intercept;  // the oracle's columns are centred, the user's are not
    double total = 0;
    for (Index i = 0; i < s.n; ++i) total += s.weights.empty() ? 1 : s.weights[i];
    for (Index j = 0; j < s.p; ++j) {
      scaled.push_back(e.scale(j) == 0 ? 0 : beta[j] / e.scale(j));
      for (Index i = 0; i < s.n && s.settings.intercept; ++i)
        centred += (s.weights.empty() ? 1 : s.weights[i]) / total * s.x[j * s.n + i] * beta[j];
    }
    const double expected = e.objective(scaled, s.settings.intercept ? centred : 0);
    EXPECT_NEAR(result.objective, expected, 1e-10 * (1 + expected)) << round;
    EXPECT_LE(result.lower_bound, result.objective);
    EXPECT_EQ(result.gap, result.objective - result.lower_bound);
  }
}

TEST(Evaluate, weight_zero_drops_a_row_and_weight_two_repeats_it) {
  std::mt19937_64 rng(2);
  for (int round = 0; round < 300; ++round) {
    SmallProblem s = oracle::random_problem(rng, 5);
    s.weights.assign(s.y.size(), 1.0);
    s.weights[2] = 0;
    s.weights[3] = 2;
    SmallProblem t = s;
    t.x.clear();
    for (Index j = 0; j < s.p; ++j)
      for (Index i = 0; i < s.n; ++i) t.x.push_back(s.x[j * s.n + (i == 2 ? 3 : i)]);
    t.y[2] = t.y[3];
    if (!t.offset.empty()) t.offset[2] = t.offset[3];
    t.weights.clear();
    const auto beta = some_coefficients(t);
    if (*std::min_element(t.y.begin(), t.y.end()) == *std::max_element(t.y.begin(), t.y.end())) continue;
    const auto a = evaluate(s.dataset(), s.settings, beta);
    const auto b = evaluate(t.dataset(), t.settings, beta);
    EXPECT_NEAR(a.objective, b.objective, 1e-10 * (1 + b.objective)) << round;
    EXPECT_NEAR(a.lower_bound, b.lower_bound, 1e-10 * (1 + b.objective)) << round;
    if (s.settings.loss == "smoothed-hinge") continue;  // flat at its minimum: the best intercept is an interval
    EXPECT_NEAR(a.intercept, b.intercept, 1e-7 * (1 + std::abs(b.intercept))) << round;
  }
}

TEST(Evaluate, same_for_every_storage_and_bitwise_for_any_threads) {
  std::mt19937_64 rng(3);
  for (int round = 0; round < 200; ++round) {
    SmallProblem s = oracle::random_problem(rng, 8);
    for (double& x : s.x) x = static_cast<double>(static_cast<float>(x));
    const auto beta = some_coefficients(s);
    const auto expected = evaluate(s.dataset(), s.settings, beta);
    const auto check = [&](const Matrix& X) {
      auto data = s.dataset();
      data.X = X;
      const auto result = evaluate(data, s.settings, beta);
      EXPECT_NEAR(result.objective, expected.objective, 1e-11 * (1 + expected.objective));
      EXPECT_NEAR(result.lower_bound, expected.lower_bound, 1e-9 * (1 + expected.objective));
    };
    const std::vector<float> as_float(s.x.begin(), s.x.end());
    std::vector<double> rows;
    for (Index i = 0; i < s.n; ++i)
      for (Index j = 0; j < s.p; ++j) rows.push_back(s.x[j * s.n + i]);
    std::vector<std::int32_t> indptr{0}, indices;
    for (Index j = 0; j < s.p; ++j) {
      for (Index i = 0; i < s.n; ++i) indices.push_back(static_cast<std::int32_t>(i));
      indptr.push_back(static_cast<std::int32_t>(indices.size()));
    }
    check(column_major(as_float.data(), s.n, s.p));
    check(row_major(rows.data(), s.n, s.p));
    check(SparseMatrix<double, std::int32_t>{s.n, s.p, indptr, indices, s.x});
    check(SparseMatrix<float, std::int32_t>{s.n, s.p, indptr, indices, as_float});
    for (const int threads : {2, 8}) {
      s.settings.threads = threads;
      const auto again = evaluate(s.dataset(), s.settings, beta);
      EXPECT_EQ(again.objective, expected.objective);
      EXPECT_EQ(again.lower_bound, expected.lower_bound);
      EXPECT_EQ(again.intercept, expected.intercept);
    }
  }
}

TEST(Evaluate, constant_target_with_intercept_closes_the_gap) {
  const std::vector<double> x = {1, 2, 3, 5, 4, 0}, y = {7, 7, 7};
  Settings settings;
  settings.lambda0 = 1;
  const auto result = evaluate({column_major(x.data(), 3, 2), y}, settings, std::vector<double>{0, 0});
  EXPECT_EQ(result.objective, 0);
  EXPECT_EQ(result.gap, 0);
  EXPECT_EQ(result.intercept, 7);
}

TEST(Evaluate, one_row_is_enough) {
  const std::vector<double> x = {2, 3}, y = {4};
  Settings settings;
  settings.lambda0 = 0.1;
  EXPECT_EQ(evaluate({column_major(x.data(), 1, 2), y}, settings, std::vector<double>{0, 0}).objective, 0);
  settings.intercept = settings.standardize = false;
  EXPECT_EQ(evaluate({column_major(x.data(), 1, 2), y}, settings, std::vector<double>{0, 0}).objective, 8);
}

TEST(Evaluate, default_ridge_is_a_hundredth_of_the_mean_squared_norm) {
  const std::vector<double> x = {3, 0, 0, 4}, y = {0, 0};
  Settings settings;
  settings.lambda0 = 0;
  settings.intercept = settings.standardize = false;
  const std::vector<double> beta = {1, 0};
  EXPECT_NEAR(evaluate({column_major(x.data(), 2, 2), y}, settings, beta).objective, 4.5 + 0.01 * 12.5, 1e-14);
}

struct Refusal : testing::Test {
  std::vector<double> x = {1, 2, 3, 4, 5, 7, 1, 0, 0}, y = {1, 0, 1}, beta = {0, 0, 0}, weights = {}, offset = {};
  Settings settings;
  Refusal() { settings.lambda0 = 0.1; }

  void expect(ErrorCode code, const std::string& message) const {
    try {
      (void)evaluate({column_major(x.data(), 3, 3), y, weights, offset}, settings, beta);
      ADD_FAILURE() << "accepted; expected: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
};

TEST_F(Refusal, entries_of_x) {
  x[4] = nan;
  expect(ErrorCode::Data, "X: row 1, column 1 is nan; expected a finite number");
  x[4] = 1e200;
  expect(ErrorCode::Data, "column 1 is 1e+200");
}

TEST(RefusalOfShape, no_rows_or_no_columns) {
  const std::vector<double> none;
  Settings settings;
  settings.lambda0 = 1;
  for (const auto& [rows, cols] : {std::pair<Index, Index>{0, 3}, {3, 0}}) {
    const std::vector<double> y(static_cast<std::size_t>(rows), 1.0), beta(static_cast<std::size_t>(cols), 0.0);
    try {
      (void)evaluate({column_major(none.data(), rows, cols), y}, settings, beta);
      ADD_FAILURE() << rows << " x " << cols;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("X: ", 0), 0U) << error.what();
    }
  }
}

TEST_F(Refusal, targets) {
  y[2] = inf;
  expect(ErrorCode::Data, "y[2]: value is inf; expected a finite number");
  y[2] = 1e300;
  expect(ErrorCode::Data, "y: the largest magnitude is 1e+300");
  y = {1, 2};
  expect(ErrorCode::Data, "y: length is 2; expected 3");
  settings.loss = "logistic";
  y = {1, 0, 2};
  expect(ErrorCode::Data, "y[2]: value is 2; expected 0 or 1");
  y = {1, 1, 1};
  expect(ErrorCode::Data, "y: every row is of class 1; expected two classes");
  settings.loss = "smoothed-hinge";
  y = {1, 0, -1};
  expect(ErrorCode::Data, "y[1]: value is 0; expected -1 or +1");
}

TEST_F(Refusal, weights_and_offset) {
  weights = {1, -1, 1};
  expect(ErrorCode::Data, "weights[1]: value is -1; expected a finite number, 0 or above");
  weights = {1, nan, 1};
  expect(ErrorCode::Data, "weights[1]: value is nan");
  weights = {0, 0, 0};
  expect(ErrorCode::Data, "weights: all are 0");
  weights = {1};
  expect(ErrorCode::Data, "weights: length is 1; expected 3");
  weights.clear();
  offset = {0, nan, 0};
  expect(ErrorCode::Data, "offset[1]: value is nan");
  settings.loss = "logistic";
  offset.clear();
  weights = {1, 0, 1};  // the only row of class 0 does not count
  expect(ErrorCode::Data, "y: every row is of class 1");
}

TEST_F(Refusal, settings) {
  settings.lambda0.reset();
  expect(ErrorCode::Usage, "lambda0: is not set");
  settings.lambda0 = -1;
  expect(ErrorCode::Usage, "lambda0: value is -1; expected 0 to 1e+60");
  settings.lambda0 = 0.1;
  settings.lower = {0, 0};
  expect(ErrorCode::Usage, "lower: length is 2; expected 1 or 3");
  settings.lower = {0, 0.5, 0};
  expect(ErrorCode::Usage, "lower[1]: value is 0.5; expected -inf to 0");
  settings.lower.clear();
  settings.always = {3};
  expect(ErrorCode::Usage, "always: feature 3; expected 0 to 2");
}

TEST_F(Refusal, coefficients) {
  beta = {0, 0};
  expect(ErrorCode::Data, "coefficients: length is 2; expected 3");
  beta = {0, nan, 0};
  expect(ErrorCode::Data, "coefficients[1]: value is nan");
  beta = {0, -1, 0};
  settings.lower = {0};
  expect(ErrorCode::Data, "coefficients[1]: value is -1");
  settings.lower.clear();
  x = {1, 2, 3, 4, 4, 4, 1, 0, 0};
  expect(ErrorCode::Data, "0 for a constant column");
}

}  // namespace
}  // namespace ellzero
