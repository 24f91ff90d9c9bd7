// fit() on data that is wrong or strangely stored: refusals name the place, and every storage gives the same model.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fit/small_sample.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

using oracle::inf;
using oracle::nan;

/// The matrix of a problem in every storage a user may have; owns what the views borrow.
struct Storages {
  Index n, p;
  std::vector<double> columns, rows, padded, values;
  std::vector<float> floats, float_rows, backwards, float_values;
  std::vector<std::int32_t> indptr{0}, indices;
  std::vector<std::int64_t> indptr64, indices64;

  explicit Storages(const SmallProblem& s) : n(s.n), p(s.p), columns(s.x), backwards(2 * s.x.size()) {
    const Index stride = n + 3;
    rows.resize(columns.size());
    padded.assign(static_cast<std::size_t>(stride * p), nan);  // must never be read
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i) {
        const double x = columns[j * n + i];
        rows[i * p + j] = padded[j * stride + i] = x;
        backwards[2 * ((n - 1 - i) * p + j)] = static_cast<float>(x);
        if (x == 0) continue;
        indices.push_back(static_cast<std::int32_t>(i));
        values.push_back(x);
      }
      indptr.push_back(static_cast<std::int32_t>(values.size()));
    }
    floats.assign(columns.begin(), columns.end());
    float_rows.assign(rows.begin(), rows.end());
    float_values.assign(values.begin(), values.end());
    indptr64.assign(indptr.begin(), indptr.end());
    indices64.assign(indices.begin(), indices.end());
  }

  [[nodiscard]] std::vector<Matrix> all() const {
    return {column_major(columns.data(), n, p),
            row_major(rows.data(), n, p),
            DenseMatrix<double>{padded.data(), n, p, 1, n + 3},
            column_major(floats.data(), n, p),
            row_major(float_rows.data(), n, p),
            DenseMatrix<float>{backwards.data() + 2 * (n - 1) * p, n, p, -2 * p, 2},
            SparseMatrix<double, std::int32_t>{n, p, indptr, indices, values},
            SparseMatrix<double, std::int64_t>{n, p, indptr64, indices64, values},
            SparseMatrix<float, std::int32_t>{n, p, indptr, indices, float_values},
            SparseMatrix<float, std::int64_t>{n, p, indptr64, indices64, float_values}};
  }
};

/// With zeros, and with entries that are exact in float.
SmallProblem storable_sample(const std::string& loss) {
  SmallProblem s = small_sample(loss);
  for (std::size_t k = 0; k < s.x.size(); ++k)
    s.x[k] = k % 5 == 0 ? 0 : static_cast<double>(static_cast<float>(s.x[k]));
  return s;
}

Result fit_stored(const SmallProblem& s, const Matrix& X) { return fit({X, s.y, s.weights, s.offset}, s.settings); }

TEST(FitInput, every_storage_gives_the_same_model) {
  for (const char* loss : all_losses) {
    const SmallProblem s = storable_sample(loss);
    const Result expected = fit_it(s);
    ASSERT_GE(expected.support.size(), 2U) << loss;
    const Storages storages(s);
    for (const Matrix& X : storages.all()) {
      const Result result = fit_stored(s, X);
      EXPECT_EQ(result.support, expected.support) << loss << ", storage " << X.index();
      EXPECT_NEAR(result.objective, expected.objective, 1e-9 * expected.objective);
      EXPECT_NEAR(result.lower_bound, expected.lower_bound, 1e-8 * expected.objective);
      EXPECT_NEAR(result.coefficients.at(0), expected.coefficients[0], 1e-6);
    }
  }
}

TEST(FitInput, memory_that_must_not_be_written_is_read_only) {
  const SmallProblem s = storable_sample("squared");
  const std::size_t bytes = s.x.size() * sizeof(double);
  void* const map = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(map, MAP_FAILED);
  std::memcpy(map, s.x.data(), bytes);
  ASSERT_EQ(::mprotect(map, bytes, PROT_READ), 0);
  const Result result = fit_stored(s, column_major(static_cast<const double*>(map), s.n, s.p));
  const Result expected = fit_it(s);
  EXPECT_EQ(result.coefficients, expected.coefficients);
  EXPECT_EQ(result.lower_bound, expected.lower_bound);
  ::munmap(map, bytes);
}

TEST(FitInput, entries_that_are_no_finite_numbers_are_named_by_row_and_column) {
  for (const double bad : {nan, inf, -inf}) {
    SmallProblem s = storable_sample("squared");
    s.x[2 * s.n + 7] = bad;
    const std::string message = "X: row 7, column 2 is " + std::string(bad > 0 ? "inf" : bad < 0 ? "-inf" : "nan");
    const Storages storages(s);
    for (const Matrix& X : storages.all()) {
      s.weights.clear();
      expect_refused(ErrorCode::Data, {message, "expected a finite number"}, [&] { return fit_stored(s, X); });
      s.weights.assign(s.y.size(), 1.0);
      s.weights[0] = s.weights[3] = 0;  // dropped rows do not change what row 7 is
      expect_refused(ErrorCode::Data, {message, "expected a finite number"}, [&] { return fit_stored(s, X); });
      s.weights[7] = 0;
      expect_refused(ErrorCode::Data, {message}, [&] { return fit_stored(s, X); });
    }
  }
}

TEST(FitInput, targets_weights_and_offset_that_are_no_finite_numbers_are_named) {
  for (const auto& [bad, shown] : {std::pair<double, std::string>{nan, "nan"}, {inf, "inf"}, {-inf, "-inf"}}) {
    const std::string value = "[3]: value is " + shown + "; expected";
    for (const char* loss : all_losses) {
      SmallProblem s = small_sample(loss);
      s.y[3] = bad;
      expect_refused(ErrorCode::Data, {"y" + value}, [&] { return fit_it(s); });
    }
    SmallProblem s = small_sample();
    s.weights.assign(s.y.size(), 1.0);
    s.weights[3] = bad;
    expect_refused(ErrorCode::Data, {"weights" + value, "0 or above"}, [&] { return fit_it(s); });
    s.weights.clear();
    s.offset.assign(s.y.size(), 0.0);
    s.offset[3] = bad;
    expect_refused(ErrorCode::Data, {"offset" + value}, [&] { return fit_it(s); });
  }
}

TEST(FitInput, no_rows_or_no_columns_are_refused_in_every_storage) {
  const std::vector<double> none, y = {1, 2, 3};
  const std::vector<std::int64_t> no_columns = {0}, three_columns = {0, 0, 0, 0};
  Settings settings;
  settings.lambda0 = 1;
  const double one = 1;
  const auto refused = [&](const Matrix& X, std::span<const double> targets, const std::string& part) {
    expect_refused(ErrorCode::Data, {"X: ", part, "at least 1"}, [&] { return fit({X, targets}, settings); });
  };
  refused(column_major(&one, 0, 3), none, "0 rows");
  refused(row_major(&one, 3, 0), y, "3 x 0");
  refused(SparseMatrix<double, std::int64_t>{0, 3, three_columns, {}, {}}, none, "0 rows");
  refused(SparseMatrix<double, std::int64_t>{3, 0, no_columns, {}, {}}, y, "3 x 0");
}

TEST(FitInput, sparse_structure_is_checked_before_it_is_followed) {
  const SmallProblem s = storable_sample("squared");
  Storages storages(s);
  auto& indices = storages.indices64;
  auto& indptr = storages.indptr64;
  const auto refused = [&](std::initializer_list<std::string> parts) {
    const SparseMatrix<double, std::int64_t> X{s.n, s.p, indptr, indices, storages.values};
    expect_refused(ErrorCode::Data, parts, [&] { return fit_stored(s, X); });
  };
  const std::int64_t good = std::exchange(indices[40], s.n);
  refused({"X.indices[40]: row 40 in column 1", "expected 0 to 39"});
  indices[40] = -1;
  refused({"X.indices[40]: row -1 in column 1", "expected 0 to 39"});
  indices[40] = std::numeric_limits<std::int64_t>::max();
  refused({"X.indices[40]: row 9223372036854775807"});
  indices[40] = good;
  const std::int64_t end = std::exchange(indptr[2], indptr[1] - 1);
  refused({"X.indptr[2]: value is", "expected one that does not fall"});
  indptr[2] = -5;
  refused({"X.indptr[2]: value is -5"});
  indptr[2] = std::numeric_limits<std::int64_t>::max();
  refused({"X.indptr[2]: value is 9223372036854775807"});
  indptr[2] = end;
  EXPECT_EQ(fit_stored(s, storages.all()[7]).support, fit_it(s).support);
}

TEST(FitInput, unsorted_and_repeated_sparse_entries_are_summed_on_a_copy) {
  const SmallProblem s = storable_sample("squared");
  const Storages tidy(s);
  std::vector<std::int64_t> indptr{0}, indices;
  std::vector<double> values;
  for (Index j = 0; j < s.p; ++j) {  // every column from its end, each entry in two halves far apart
    for (int half = 0; half < 2; ++half)
      for (std::int32_t k = tidy.indptr[j + 1]; k-- > tidy.indptr[j];) {
        indices.push_back(tidy.indices[k]);
        values.push_back(tidy.values[k] / 2);
      }
    indptr.push_back(static_cast<std::int64_t>(values.size()));
  }
  const auto indices_before = indices;
  const auto values_before = values;
  const Result expected = fit_stored(s, tidy.all()[7]);
  const Result result = fit_stored(s, SparseMatrix<double, std::int64_t>{s.n, s.p, indptr, indices, values});
  EXPECT_EQ(result.support, expected.support);
  EXPECT_EQ(result.coefficients, expected.coefficients);
  EXPECT_EQ(result.lower_bound, expected.lower_bound);
  EXPECT_EQ(indices, indices_before);
  EXPECT_EQ(values, values_before);
}

TEST(FitInput, sizes_that_overflow_are_refused_before_anything_is_allocated) {
  constexpr Index huge = std::numeric_limits<Index>::max();
  const std::vector<double> y = {1, 2};
  const std::vector<std::int64_t> indptr = {0, 1, 2}, indices = {0, 1};
  Settings settings;
  settings.lambda0 = 1;
  const auto refused = [&](std::initializer_list<std::string> parts, const Matrix& X) {
    expect_refused(ErrorCode::Data, parts, [&] { return fit({X, y}, settings); });
  };
  for (const Index cols : {huge, huge / 2, huge / 16 + 1})
    refused({"X: shape 2 x " + std::to_string(cols) + " overflows"}, row_major(y.data(), 2, cols));
  refused({"X: shape 2 x " + std::to_string(huge) + " overflows"},
          SparseMatrix<double, std::int64_t>{2, huge, indptr, indices, y});
  refused({"X.indptr: length is 3; expected 4294967297"},
          SparseMatrix<double, std::int64_t>{2, Index{1} << 32, indptr, indices, y});
  refused({"y: length is 2; expected " + std::to_string(huge)}, row_major(y.data(), huge, 1));
  const std::vector<double> one_row = {1};
  expect_refused(ErrorCode::Data, {"X.indptr: length is 3; expected 9223372036854775808"}, [&] {
    return fit({SparseMatrix<double, std::int64_t>{1, huge, indptr, indices, y}, one_row}, settings);
  });
}

TEST(FitInput, weight_zero_drops_a_row_and_weight_two_repeats_it) {
  for (const char* loss : all_losses)
    for (const bool budget : {false, true}) {
      SmallProblem s = storable_sample(loss);
      if (budget) {
        s.settings.lambda0.reset();
        s.settings.k = 2;
      }
      SmallProblem plain = s;  // row 2 is a copy of row 3
      for (Index j = 0; j < s.p; ++j) plain.x[j * s.n + 2] = plain.x[j * s.n + 3];
      plain.y[2] = plain.y[3];
      s.weights.assign(s.y.size(), 1.0);
      s.weights[2] = 0;
      s.weights[3] = 2;
      const Result expected = fit_it(plain);
      const Storages storages(s);
      for (const Matrix& X : storages.all()) {
        const Result result = fit_stored(s, X);
        EXPECT_EQ(result.n, s.n - 1);
        EXPECT_EQ(result.support, expected.support) << loss;
        EXPECT_NEAR(result.objective, expected.objective, 1e-8 * expected.objective) << loss;
        for (std::size_t c = 0; c < result.coefficients.size(); ++c)
          EXPECT_NEAR(result.coefficients[c], expected.coefficients.at(c), 1e-4) << loss;
      }
    }
}

TEST(FitInput, weights_that_are_none_are_refused) {
  SmallProblem s = small_sample();
  s.weights.assign(s.y.size(), 1.0);
  s.weights[3] = -1e-300;
  expect_refused(ErrorCode::Data, {"weights[3]: value is -1e-300", "0 or above"}, [&] { return fit_it(s); });
  s.weights.assign(s.y.size(), 0.0);
  expect_refused(ErrorCode::Data, {"weights: all are 0", "at least one above 0"}, [&] { return fit_it(s); });
  for (const std::size_t length : {1U, 39U, 41U}) {
    s.weights.assign(length, 1.0);
    expect_refused(ErrorCode::Data, {"weights: length is " + std::to_string(length), "expected 40"},
                   [&] { return fit_it(s); });
  }
}

}  // namespace
}  // namespace ellzero
