// Products of features that are kept are those that a plain sum gives, however they were asked for.
#include "solve/feature_gram.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "features/make_source.hpp"
#include "features/view.hpp"

namespace ellzero::solve {
namespace {

constexpr Index rows = 30, cols = 12;

struct Sample {
  std::vector<double> x, weights, other;
  core::ThreadPool pool{1};
  core::Stop stop{{}, nullptr};

  Sample() {
    std::mt19937_64 rng(3);
    std::normal_distribution<double> normal;
    for (Index k = 0; k < rows * cols; ++k) x.push_back(k % 3 == 0 ? 0 : 2 + normal(rng));
    for (Index i = 0; i < rows; ++i) {
      weights.push_back(0.5 + std::abs(normal(rng)));
      other.push_back(0.1 + std::abs(normal(rng)));
    }
  }
};

/// sum_i h_i x~_ia x~_ib with columns centred by `weights`, as the source does, and scaled to norm 1.
double plain(const Sample& s, const std::vector<double>& h, Index a, Index b) {
  const auto column = [&](Index j) {
    double total = 0, mean = 0, square = 0;
    for (Index i = 0; i < rows; ++i) total += s.weights[i], mean += s.weights[i] * s.x[j * rows + i];
    mean /= total;
    std::vector<double> result;
    for (Index i = 0; i < rows; ++i) {
      result.push_back(s.x[j * rows + i] - mean);
      square += s.weights[i] * result.back() * result.back();
    }
    for (double& entry : result) entry /= std::sqrt(square);
    return result;
  };
  const auto xa = column(a), xb = column(b);
  double sum = 0;
  for (Index i = 0; i < rows; ++i) sum += h[i] * xa[i] * xb[i];
  return sum;
}

void expect_plain_products(const features::View& source, Sample& s) {
  FeatureGram gram(source);
  const auto check = [&](const std::vector<Index>& features, const std::vector<double>& h) {
    gram.measure_by(h);
    gram.know(features, s.stop);
    for (const Index a : features)
      for (const Index b : features) EXPECT_NEAR(gram(a, b), plain(s, h, a, b), 1e-12) << a << " " << b;
  };
  check({1, 4, 5}, s.weights);
  check({0, 4, 5, 11}, s.weights);
  check({1, 2, 11}, s.other);
  check({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, s.weights);
  double sum = 0;
  for (const double v : s.other) sum += v;
  EXPECT_NEAR(gram.dot(7, s.other, sum), source.dot(7, s.other, sum), 1e-12);
}

TEST(FeatureGram, keeps_the_products_of_dense_and_sparse_columns) {
  Sample s;
  const auto kept = std::vector<Index>{};
  const features::View dense(features::make_source(column_major(s.x.data(), rows, cols), kept), s.weights, {true, true},
                             s.pool);
  expect_plain_products(dense, s);
  std::vector<double> values;
  std::vector<std::int32_t> indptr{0}, indices;
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; ++i)
      if (s.x[j * rows + i] != 0) {
        indices.push_back(static_cast<std::int32_t>(i));
        values.push_back(s.x[j * rows + i]);
      }
    indptr.push_back(static_cast<std::int32_t>(indices.size()));
  }
  const SparseMatrix<double, std::int32_t> X{rows, cols, indptr, indices, values};
  const features::View sparse(features::make_source(X, kept), s.weights, {true, true}, s.pool);
  expect_plain_products(sparse, s);
}

/// So many rows that no more columns are kept than one question needs.
TEST(FeatureGram, forgets_columns_that_would_take_too_much_memory) {
  constexpr Index many = (Index{1} << 24) / 2;  // of which two columns are kept
  std::vector<float> x(static_cast<std::size_t>(3 * many), 0.0F);
  for (Index j = 0; j < 3; ++j)
    x[static_cast<std::size_t>(j * many + j)] = x[static_cast<std::size_t>(j * many + 3)] = 1;
  const std::vector<double> weights(static_cast<std::size_t>(many), 1.0);
  core::ThreadPool pool(1);
  core::Stop stop({}, nullptr);
  const features::View source(features::make_source(column_major(x.data(), many, 3), std::vector<Index>{}), weights,
                              {false, false}, pool);
  FeatureGram gram(source);
  gram.measure_by(weights);
  const std::vector<std::vector<Index>> pairs = {{0, 1}, {1, 2}, {0, 2}};
  for (const auto& pair : pairs) {
    gram.know(pair, stop);
    EXPECT_EQ(gram(pair[0], pair[1]), 1);
    EXPECT_EQ(gram(pair[0], pair[0]), 2);
  }
}

}  // namespace
}  // namespace ellzero::solve
