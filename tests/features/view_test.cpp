// Every storage answers sweep and gather alike: dense = sparse = float, standardised view = standardised matrix, and
// the same bits for any number of threads.
#include "features/view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "features/make_source.hpp"

namespace ellzero::features {
namespace {

/// A random matrix with many zeros, whose entries are exact in float, as dense and sparse storage of every type.
struct Sample {
  Index n, p;
  std::vector<double> dense, v, weights;
  std::vector<float> dense_float, values_float;
  std::vector<double> values;
  std::vector<std::int32_t> indptr32{0}, indices32;
  std::vector<std::int64_t> indptr64{0}, indices64;

  Sample(Index rows, Index cols, std::uint64_t seed) : n(rows), p(cols) {
    std::mt19937_64 rng(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const double density = uniform(rng);
    for (Index j = 0; j < p; ++j) {
      const double mean = j % 3 == 0 ? 10 * normal(rng) : 0;
      for (Index i = 0; i < n; ++i) {
        const bool stored = uniform(rng) < density;
        const double x = stored ? static_cast<double>(static_cast<float>(normal(rng) + mean)) : 0;
        dense.push_back(x);
        if (!stored) continue;
        values.push_back(x);
        indices32.push_back(static_cast<std::int32_t>(i));
      }
      indptr32.push_back(static_cast<std::int32_t>(values.size()));
    }
    dense_float.assign(dense.size(), 0);
    for (std::size_t k = 0; k < dense.size(); ++k) dense_float[k] = static_cast<float>(dense[k]);
    for (const double x : values) values_float.push_back(static_cast<float>(x));
    indices64.assign(indices32.begin(), indices32.end());
    indptr64.assign(indptr32.begin(), indptr32.end());
    for (Index i = 0; i < n; ++i) v.push_back(normal(rng));
    for (Index i = 0; i < n; ++i) weights.push_back(seed % 2 == 0 ? 1 : 0.1 + uniform(rng));
  }

  /// f(source) for each of the six storages, for sources that only read their columns, and for some rows of more.
  template <class F>
  void for_each_storage(F&& f) const {
    f(make_source(column_major(dense.data(), n, p)));
    f(make_source(column_major(dense_float.data(), n, p)));
    f(make_source(SparseMatrix<double, std::int32_t>{n, p, indptr32, indices32, values}));
    f(make_source(SparseMatrix<double, std::int64_t>{n, p, indptr64, indices64, values}));
    f(make_source(SparseMatrix<float, std::int32_t>{n, p, indptr32, indices32, values_float}));
    f(make_source(SparseMatrix<float, std::int64_t>{n, p, indptr64, indices64, values_float}));
    for (const bool sparse : {false, true}) {
      f(std::make_shared<ReadOnly>(*this, sparse));
      std::vector<Index> kept;
      for (Index i = 0; i < n; ++i) kept.push_back(2 * i + 1);
      f(masked_source(std::make_shared<EveryOther>(*this, sparse), kept));
    }
  }

 private:
  /// Writes no more than it must.
  class ReadOnly : public FeatureSource {
   public:
    ReadOnly(const Sample& s, bool sparse) : s_(s), sparse_(sparse) {}
    [[nodiscard]] Index rows() const override { return s_.n; }
    [[nodiscard]] Index cols() const override { return s_.p; }
    [[nodiscard]] bool is_sparse() const override { return sparse_; }
    [[nodiscard]] Index stored(Index j) const override { return sparse_ ? s_.indptr32[j + 1] - s_.indptr32[j] : s_.n; }
    void read(Index j, std::int32_t* rows, double* entries) const override {
      if (!sparse_) {
        std::copy_n(s_.dense.data() + j * s_.n, s_.n, entries);
        return;
      }
      std::copy_n(s_.indices32.data() + s_.indptr32[j], stored(j), rows);
      std::copy_n(s_.values.data() + s_.indptr32[j], stored(j), entries);
    }

   private:
    const Sample& s_;
    bool sparse_;
  };

  /// Row i of the sample is row 2 i + 1; the others hold something else.
  class EveryOther : public FeatureSource {
   public:
    EveryOther(const Sample& s, bool sparse) : inner_(s, sparse) {}
    [[nodiscard]] Index rows() const override { return 2 * inner_.rows() + 1; }
    [[nodiscard]] Index cols() const override { return inner_.cols(); }
    [[nodiscard]] bool is_sparse() const override { return inner_.is_sparse(); }
    [[nodiscard]] Index stored(Index j) const override { return 2 * inner_.stored(j) + 1; }
    void read(Index j, std::int32_t* rows, double* entries) const override {
      const Index count = inner_.stored(j);
      std::vector<std::int32_t> at(static_cast<std::size_t>(count));
      std::vector<double> x(at.size());
      inner_.read(j, is_sparse() ? at.data() : nullptr, x.data());
      for (Index k = 0; k < stored(j); ++k) entries[k] = k % 2 == 1 ? x[k / 2] : 1e3;
      if (!is_sparse()) return;
      for (Index k = 0; k < stored(j); ++k)
        rows[k] = k % 2 == 1      ? 2 * at[k / 2] + 1
                  : k / 2 < count ? 2 * at[k / 2]
                                  : static_cast<std::int32_t>(this->rows() - 1);
    }

   private:
    ReadOnly inner_;
  };
};

/// The matrix a source promises to show, worked out the slow way.
struct Explicit {
  std::vector<double> x, norm;
  Explicit(const Sample& s, Standardisation standardisation) : x(s.dense) {
    double total = 0;
    for (const double w : s.weights) total += w;
    for (Index j = 0; j < s.p; ++j) {
      double* column = x.data() + j * s.n;
      double mean = 0, squares = 0;
      for (Index i = 0; i < s.n; ++i) mean += s.weights[i] * column[i] / total;
      for (Index i = 0; i < s.n; ++i) column[i] -= standardisation.centre ? mean : 0;
      for (Index i = 0; i < s.n; ++i) squares += s.weights[i] * column[i] * column[i];
      const bool constant = squares < 1e-20 * (1 + mean * mean);
      const double scale = constant ? 0 : standardisation.scale ? 1 / std::sqrt(squares) : 1;
      for (Index i = 0; i < s.n; ++i) column[i] *= scale;
      norm.push_back(constant ? 0 : std::sqrt(squares) * scale);
    }
  }
};

double sum(std::span<const double> v) {
  double total = 0;
  for (const double x : v) total += x;
  return total;
}

void expect_same(const View& source, const Explicit& expected, const Sample& s) {
  std::vector<double> tau(static_cast<std::size_t>(s.p));
  (void)source.sweep(s.v, sum(s.v), StoreAll{tau});
  std::vector<Index> odd;
  for (Index j = 1; j < s.p; j += 2) odd.push_back(j);
  std::vector<double> tau_odd(static_cast<std::size_t>(s.p), -7.0);
  (void)source.sweep(odd, s.v, sum(s.v), StoreAll{tau_odd});
  const auto active = source.gather(odd);
  ASSERT_EQ(active.cols(), static_cast<Index>(odd.size()));
  for (Index j = 0; j < s.p; ++j) {
    double exact = 0;
    for (Index i = 0; i < s.n; ++i) exact += expected.x[j * s.n + i] * s.v[i];
    EXPECT_NEAR(tau[j], exact, 1e-11 * (1 + std::abs(exact)));
    EXPECT_NEAR(source.norm(j), expected.norm[j], 1e-11);
    if (j % 2 == 0) {
      EXPECT_EQ(tau_odd[j], -7.0);
      continue;
    }
    EXPECT_EQ(tau_odd[j], tau[j]);
    EXPECT_NEAR(active.dot(j / 2, s.v) - active.centre(j / 2) * sum(s.v), exact, 1e-11 * (1 + std::abs(exact)));
    std::vector<double> u(s.v), weighted(s.v.size(), 0.0);
    active.axpy(j / 2, -2.5, u);
    active.axpy(j / 2, 2, s.weights, weighted);
    const double centre = active.centre(j / 2);
    for (Index i = 0; i < s.n; ++i) {
      EXPECT_NEAR(u[i] + 2.5 * centre, s.v[i] - 2.5 * expected.x[j * s.n + i], 1e-10);
      EXPECT_NEAR(weighted[i], 2 * s.weights[i] * (expected.x[j * s.n + i] + centre), 1e-10);
    }
    active.erase(j / 2, weighted);
    EXPECT_EQ(weighted, std::vector<double>(s.v.size(), 0.0));
  }
}

void expect_append_is_gather(const View& source, const Sample& s) {
  std::vector<Index> all;
  for (Index j = 0; j < s.p; ++j) all.push_back(s.p - 1 - j);
  const auto whole = source.gather(all);
  auto grown = source.gather(std::span<const Index>(all).first(0));
  for (std::size_t first = 0; first < all.size(); first += 3)
    grown.append(
        source.gather(std::span<const Index>(all).subspan(first, std::min<std::size_t>(3, all.size() - first))));
  ASSERT_EQ(grown.cols(), whole.cols());
  for (Index c = 0; c < whole.cols(); ++c) {
    EXPECT_EQ(grown.dot(c, s.v), whole.dot(c, s.v));
    EXPECT_EQ(grown.centre(c), whole.centre(c));
  }
}

TEST(View, every_storage_and_view_equals_the_explicit_matrix) {
  core::ThreadPool pool(2);
  std::mt19937_64 rng(1);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Sample s(1 + static_cast<Index>(rng() % 30), 1 + static_cast<Index>(rng() % 40), seed);
    for (const Standardisation how : {Standardisation{false, false}, {true, false}, {false, true}, {true, true}}) {
      const Explicit expected(s, how);
      s.for_each_storage([&](const std::shared_ptr<const FeatureSource>& columns) {
        const View source(columns, s.weights, how, pool);
        expect_same(source, expected, s);
        expect_append_is_gather(source, s);
      });
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

/// Sums tau in the order the blocks come: any dependence on the threads would show in the last bits.
struct OrderedSum {
  double total = 0;
  std::vector<Index> order = {};
  void visit(Index j, double tau) {
    total += tau;
    order.push_back(j);
  }
  void merge(const OrderedSum& next) {
    total += next.total;
    order.insert(order.end(), next.order.begin(), next.order.end());
  }
};

TEST(View, same_bits_for_any_number_of_threads) {
  const Sample s(57, 5000, 3);
  s.for_each_storage([&](const std::shared_ptr<const FeatureSource>& columns) {
    std::vector<OrderedSum> results;
    std::vector<double> norms;
    for (const int threads : {1, 2, 8}) {
      core::ThreadPool pool(threads);
      const View source(columns, s.weights, {true, true}, pool);
      results.push_back(source.sweep(s.v, sum(s.v), OrderedSum{}));
      norms.push_back(source.norm(4711));
    }
    for (std::size_t k = 1; k < results.size(); ++k) {
      EXPECT_EQ(results[k].total, results[0].total);
      EXPECT_EQ(results[k].order, results[0].order);
      EXPECT_EQ(norms[k], norms[0]);
    }
    EXPECT_EQ(results[0].order.size(), 5000U);
  });
}

TEST(View, computed_tau_is_within_dot_error) {
  core::ThreadPool pool(1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Sample s(50, 8, seed);
    double norm = 0;
    for (Index i = 0; i < s.n; ++i) norm += s.v[i] * s.v[i] / s.weights[i];
    s.for_each_storage([&](const std::shared_ptr<const FeatureSource>& columns) {
      const View source(columns, s.weights, {false, true}, pool);
      std::vector<double> tau(static_cast<std::size_t>(s.p));
      (void)source.sweep(s.v, 0, StoreAll{tau});
      for (Index j = 0; j < s.p; ++j) {
        long double exact = 0;
        for (Index i = 0; i < s.n; ++i) exact += static_cast<long double>(s.dense[j * s.n + i]) * s.v[i];
        exact *= source.scale(j);
        EXPECT_LE(std::abs(tau[j] - exact), source.dot_error(j) * std::sqrt(norm));
      }
    });
  }
}

TEST(View, constant_columns_have_scale_zero_when_centred) {
  const std::vector<double> x = {0.1, 0.1, 0.1, 0, 0, 0, 1, 2, 3};
  const std::vector<double> w = {1, 2, 3};
  core::ThreadPool pool(1);
  const View centred(make_source(column_major(x.data(), 3, 3)), w, {true, true}, pool);
  EXPECT_EQ(centred.scale(0), 0);
  EXPECT_EQ(centred.scale(1), 0);
  EXPECT_NEAR(centred.norm(2), 1, 1e-15);
  const View plain(make_source(column_major(x.data(), 3, 3)), w, {false, true}, pool);
  EXPECT_NEAR(plain.norm(0), 1, 1e-15);
  EXPECT_EQ(plain.scale(1), 0);
}

TEST(View, a_column_that_barely_varies_is_not_called_constant) {
  const std::vector<double> x = {1, 1 + 1e-15, 1, 1};
  const std::vector<double> w(4, 1.0);
  core::ThreadPool pool(1);
  const View source(make_source(column_major(x.data(), 4, 1)), w, {true, true}, pool);
  EXPECT_GT(source.scale(0), 0);
  EXPECT_NEAR(source.norm(0), 1, 1e-12);
}

}  // namespace
}  // namespace ellzero::features
