// A source of one's own is fitted, proved and verified like the matrix it stands for.
#include "ellzero/feature_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "ellzero/ellzero.hpp"
#include "oracle/steps.hpp"

namespace ellzero {
namespace {

/// A signal with three jumps and noise, and the matrix that Steps does not store.
struct Signal {
  oracle::Steps steps;
  std::vector<double> y, stored, weights;
  Settings settings;

  explicit Signal(Index n) : steps(n) {
    std::mt19937_64 rng(7);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < n; ++i) {
      y.push_back((i > n / 5 ? 2 : 0) + (i > n / 2 ? -3 : 0) + (i > 4 * n / 5 ? 1.5 : 0) + 0.3 * normal(rng));
      weights.push_back(i % 7 == 3 ? 0 : 1 + static_cast<double>(i % 3));
    }
    settings.lambda0 = 0.02 * static_cast<double>(n);
    settings.lambda2 = 1e-3;
  }
  [[nodiscard]] Dataset made() const { return {&steps, y}; }
  Dataset matrix() {
    stored.resize(static_cast<std::size_t>(steps.rows() * steps.cols()));
    for (Index j = 0; j < steps.cols(); ++j) steps.read(j, nullptr, stored.data() + j * steps.rows());
    return {column_major(stored.data(), steps.rows(), steps.cols()), y};
  }
};

void expect_same_answer(const Result& a, const Result& b) {
  EXPECT_EQ(a.support, b.support);
  EXPECT_NEAR(a.objective, b.objective, 1e-9 * std::abs(b.objective));
  EXPECT_EQ(a.status, b.status);
}

TEST(FeatureSource, made_columns_are_fitted_and_proved_like_stored_ones) {
  Signal s(400);
  for (const bool weighted : {false, true}) {
    Dataset made = s.made(), matrix = s.matrix();
    if (weighted) made.weights = matrix.weights = s.weights;  // some rows are left out
    expect_same_answer(fit(made, s.settings), fit(matrix, s.settings));
    ProofCheck check(made, s.settings);
    const Result proved = prove(made, s.settings, nullptr, &check);
    expect_same_answer(proved, prove(matrix, s.settings));
    EXPECT_EQ(proved.status, Status::Optimal);
    EXPECT_NO_THROW(check.require(proved.lower_bound));
    EXPECT_NEAR(
        verify_objective(made, s.settings,
                         {proved.objective, proved.lower_bound, proved.intercept, proved.support, proved.coefficients}),
        proved.objective, 1e-9 * proved.objective);
    EXPECT_EQ(predict(&s.steps, {}, proved.intercept, proved.support, proved.coefficients),
              predict(matrix.X, {}, proved.intercept, proved.support, proved.coefficients));
  }
}

/// Without some rows two steps may be one column, and which of them is taken is up to the last bit; so scores of folds
/// are not compared.
TEST(FeatureSource, paths_and_choices_work_on_made_columns) {
  Signal s(120);
  s.settings.lambda0.reset();
  s.settings.max_nonzeros = 4;
  for (const double score : choose(s.made(), s.settings).score) EXPECT_TRUE(std::isfinite(score));
  s.settings.select = "bic";
  const Selection made = choose(s.made(), s.settings), matrix = choose(s.matrix(), s.settings);
  EXPECT_EQ(made.chosen, matrix.chosen);
  ASSERT_EQ(made.path.models.size(), matrix.path.models.size());
  for (std::size_t m = 0; m < made.path.models.size(); ++m)
    EXPECT_EQ(made.path.models[m].support, matrix.path.models[m].support);
}

/// Columns that cannot be had.
class Broken final : public FeatureSource {
 public:
  [[nodiscard]] Index rows() const override { return 20; }
  [[nodiscard]] Index cols() const override { return 500; }
  void read(Index j, std::int32_t* /*rows*/, double* /*values*/) const override {
    throw std::runtime_error("column " + std::to_string(j) + " is gone");
  }
};

TEST(FeatureSource, what_a_source_throws_comes_out) {
  const Broken broken;
  const std::vector<double> y(20, 1.0);
  Settings settings;
  settings.lambda0 = 1;
  for (const int threads : {1, 3}) {
    settings.threads = threads;
    EXPECT_THROW((void)fit({&broken, y}, settings), std::runtime_error);
  }
}

/// Entries are fine, but an answer of the source is not a number from some call on.
class Unfounded final : public FeatureSource {
 public:
  explicit Unfounded(int good_calls) : left_(good_calls) {}
  [[nodiscard]] Index rows() const override { return steps_.rows(); }
  [[nodiscard]] Index cols() const override { return steps_.cols(); }
  void read(Index j, std::int32_t* rows, double* values) const override { steps_.read(j, rows, values); }
  void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const override {
    steps_.sweep(columns, v, out);
    if (left_-- <= 0) out.back() = std::numeric_limits<double>::quiet_NaN();
  }
  void square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                   std::span<const double> means, std::span<double> out) const override {
    steps_.square_sums(columns, w, total_weight, means, out);
    if (left_ < 0) out.back() = std::numeric_limits<double>::quiet_NaN();
  }

 private:
  oracle::Steps steps_{300};
  mutable int left_;
};

TEST(FeatureSource, no_bound_rests_on_answers_that_are_no_numbers) {
  const Signal s(300);
  Settings settings = s.settings;
  settings.threads = 1;
  for (const int good_calls : {-1, 0, 3, 5, 6, 8, 12, 15}) {
    const Unfounded source(good_calls);
    EXPECT_THROW((void)prove({&source, s.y}, settings), Error) << good_calls;
  }
}

}  // namespace
}  // namespace ellzero
