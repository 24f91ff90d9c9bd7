// DiagonalCheck: both of its ways accept a diagonal up to the same size, and none beyond what is semidefinite.
#include "verify/diagonal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "ellzero/feature_source.hpp"
#include "verify/claims.hpp"

namespace ellzero::testing {
namespace {

using verify::DiagonalCheck;
using verify::Sample;

/// The largest factor for the positive part of d that `accepts` takes, by bisection.
template <class Accepts>
double largest_factor(const std::vector<double>& d, Accepts&& accepts) {
  const auto scaled = [&](double factor) {
    auto result = d;
    for (double& value : result) value *= value > 0 ? factor : 1;
    return result;
  };
  double low = 0, high = 1e6;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (accepts(scaled(middle)) ? low : high) = middle;
  }
  return low;
}

TEST(DiagonalCheck, both_ways_agree) {
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 40; ++k) {
    SmallProblem s;
    s.n = 12;
    s.p = k % 2 == 0 ? 30 : 8;
    for (Index e = 0; e < s.n * s.p; ++e) s.x.push_back(normal(rng) + 3);
    for (Index i = 0; i < s.n; ++i) {
      s.y.push_back(normal(rng));
      s.weights.push_back(0.5 + static_cast<double>(rng() % 3));
    }
    s.settings.lambda0 = 1;
    s.settings.lambda2 = 10;
    s.settings.intercept = k % 3 != 0;
    s.settings.standardize = k % 4 < 2;
    const Sample sample(s.dataset(), s.settings);
    DiagonalCheck check(sample);
    std::vector<Index> features;
    std::vector<double> d;
    for (Index j = 0; j < s.p; ++j) {
      features.push_back(j);
      d.push_back(j < 5 ? 0.5 + static_cast<double>(rng() % 4) : -0.1 * static_cast<double>(1 + rng() % 20));
    }
    const double one = largest_factor(d, [&](const auto& tried) { return check.by_features(features, tried); });
    const double other = largest_factor(d, [&](const auto& tried) { return check.by_samples(features, tried); });
    EXPECT_GT(one, 0);
    EXPECT_NEAR(one, other, 1e-9 * one) << k;
  }
}

TEST(DiagonalCheck, two_columns_allow_their_smaller_eigenvalue) {
  SmallProblem s;
  s.n = 2;
  s.p = 2;
  s.x = {2, 0, 1, 2};  // X'X = [4 2; 2 5], eigenvalues (9 +- sqrt(17)) / 2
  s.y = {1, 2};
  s.settings.lambda0 = 1;
  s.settings.lambda2 = 0;
  s.settings.intercept = s.settings.standardize = false;
  const Sample sample(s.dataset(), s.settings);
  DiagonalCheck check(sample);
  const std::vector<Index> features = {0, 1};
  const double factor =
      largest_factor({1, 1}, [&](const auto& tried) { return check.leaves_semidefinite(features, tried); });
  EXPECT_NEAR(factor, (9 - std::sqrt(17.0)) / 2, 1e-12);
  EXPECT_LT(factor, (9 - std::sqrt(17.0)) / 2);
}

TEST(DiagonalCheck, equal_columns_allow_nothing_however_much_the_others_give) {
  // 400 features with tiny d < 0 leave so little of two equal columns that its square is beyond the doubles.
  const std::vector<double> y = {1, 2};
  std::vector<Index> features(402);
  std::iota(features.begin(), features.end(), Index{0});
  for (int number = 0; number < 400; ++number) {
    std::vector<double> x;
    for (int j = 0; j < 400; ++j) x.insert(x.end(), {j % 2 == 0 ? 0.0 : 1.0, j % 2 == 0 ? 1.0 : 0.0});
    for (int j = 0; j < 2; ++j) x.insert(x.end(), {1e10 * (1 + number * 0.00731), 0.0});
    Settings settings;
    settings.lambda0 = 1;
    settings.lambda2 = 5e-181;
    settings.intercept = settings.standardize = false;
    const Sample sample({column_major(x.data(), 2, 402), y}, settings);
    const DiagonalCheck check(sample);
    for (const double positive : {1e-176, 1e-177, 1e-178, 1e-179}) {
      std::vector<double> d(402, -1e-180);
      std::fill_n(d.begin() + 400, 2, positive);
      EXPECT_FALSE(check.by_samples(features, d)) << number << ' ' << positive;
    }
  }
}

/// A matrix of many rows with three entries in each column, and diagonals over all of it.
struct SparseProblem {
  SparseProblem(Index n, Index p) {
    indptr.push_back(0);
    for (Index j = 0; j < p; ++j) {
      for (const Index step : {0, 1, 5}) {
        indices.push_back((j + step) % n);
        values.push_back(step == 0 ? 10.0 : 1.0 + static_cast<double>((j + step) % 3));
      }
      indptr.push_back(static_cast<Index>(indices.size()));
      features.push_back(j);
    }
    for (Index i = 0; i < n; ++i) y.push_back(static_cast<double>(i % 7));
    data = {SparseMatrix<double, Index>{n, p, indptr, indices, values}, y};
    settings.lambda0 = 1;
    settings.lambda2 = 1;
    settings.standardize = false;
  }

  std::vector<Index> indptr, indices, features;
  std::vector<double> values, y;
  Dataset data;
  Settings settings;
};

TEST(DiagonalCheck, many_rows_of_a_sparse_matrix_take_no_memory) {
  SparseProblem s(100000, 1000);
  const Sample sample(s.data, s.settings);
  DiagonalCheck check(sample);
  const auto peak = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;  // kilobytes
  };
  const auto before = peak();
  EXPECT_TRUE(check.leaves_semidefinite(s.features, std::vector<double>(1000, 1)));
  EXPECT_FALSE(check.leaves_semidefinite(s.features, std::vector<double>(1000, 200)));
  EXPECT_LT(peak() - before, 400000);  // the columns themselves would be 800 megabytes
}

TEST(DiagonalCheck, a_record_does_not_ask_for_more_pairs_than_the_data_has_entries) {
  SparseProblem s(2100, 4100);
  ProofCheck proof(s.data, s.settings);
  const std::vector<double> d(4100, 1e-3);
  try {
    proof.on_diagonal(0, s.features, d);
    ADD_FAILURE() << "a diagonal of 4100 features is accepted";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "proof: diagonal 0: has 4100 features; expected at most 4000 for data of this size");
  }
}

/// Unit columns, several of each, that count how often they are read.
class CountedUnits : public FeatureSource {
 public:
  [[nodiscard]] Index rows() const override { return 20; }
  [[nodiscard]] Index cols() const override { return 500; }
  void read(Index j, std::int32_t* /*rows*/, double* values) const override {
    ++reads;
    for (Index i = 0; i < rows(); ++i) values[i] = i == j % rows() ? 1.0 : 0.0;
  }
  mutable std::atomic<int> reads = 0;
};

TEST(DiagonalCheck, the_same_diagonal_is_looked_at_once) {
  const CountedUnits units;
  const std::vector<double> y(20, 1.0);
  Settings settings;
  settings.lambda0 = settings.lambda2 = 1;
  settings.intercept = settings.standardize = false;
  const Sample sample({&units, y}, settings);
  DiagonalCheck check(sample);
  std::vector<Index> features(500);
  std::iota(features.begin(), features.end(), Index{0});
  std::vector<double> d(500, -100.0);  // what the other 24 columns of a row take is less than a half
  std::fill_n(d.begin(), 20, 0.5);
  const auto reads_of = [&](bool expected, const std::vector<double>& tried) {
    units.reads = 0;
    EXPECT_EQ(check.leaves_semidefinite(features, tried), expected);
    return units.reads.load();
  };
  EXPECT_GT(reads_of(true, d), 0);
  EXPECT_EQ(reads_of(true, d), 0);
  auto higher = d;
  higher[7] = 0.9;  // 1 / (1 + 24 / 100) is left
  EXPECT_GT(reads_of(false, higher), 0);
  EXPECT_GT(reads_of(false, higher), 0);
  EXPECT_EQ(reads_of(true, d), 0);
  std::swap(features[19], features[20]);  // other features with the same numbers
  EXPECT_GT(reads_of(false, d), 0);
}

TEST(DiagonalCheck, sparse_and_dense_columns_allow_the_same) {
  SparseProblem s(40, 30);
  std::vector<double> full(std::size_t{40} * 30, 0.0);
  for (std::size_t j = 0; j < 30; ++j)
    for (Index e = s.indptr[j]; e < s.indptr[j + 1]; ++e) full[j * 40 + s.indices[e]] = s.values[e];
  const Sample sparse(s.data, s.settings), dense({column_major(full.data(), 40, 30), s.y}, s.settings);
  const std::vector<double> d(30, 1.0);
  const auto allowed = [&](const Sample& sample) {
    DiagonalCheck check(sample);
    return largest_factor(d, [&](const auto& tried) { return check.by_features(s.features, tried); });
  };
  EXPECT_GT(allowed(sparse), 1e-3);
  EXPECT_NEAR(allowed(sparse), allowed(dense), 1e-9 * allowed(dense));
}

}  // namespace
}  // namespace ellzero::testing
