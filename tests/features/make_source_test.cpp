// The border takes any memory order, tidies sparse input on a copy, and refuses what is not a matrix.
#include "features/make_source.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "ellzero/error.hpp"
#include "features/column.hpp"
#include "features/view.hpp"

namespace ellzero::features {
namespace {

std::vector<double> to_dense(const std::shared_ptr<const FeatureSource>& source) {
  std::vector<double> x(static_cast<std::size_t>(source->rows() * source->cols()), 0.0);
  Column column;
  for (Index j = 0; j < source->cols(); ++j) {
    column.read(*source, j);
    column.for_each([&](Index i, double value) { x[j * source->rows() + i] = value; });
  }
  return x;
}

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Data);
    return error.what();
  }
  return "accepted";
}

#define EXPECT_REFUSED(expression, part) EXPECT_NE(refusal([&] { (void)(expression); }).find(part), std::string::npos)

TEST(Border, column_major_is_borrowed_also_with_a_wider_stride) {
  std::vector<double> x = {1, 2, -1, 3, 4, -1};
  const auto source = make_source(DenseMatrix<double>{x.data(), 2, 2, 1, 3});
  EXPECT_EQ(to_dense(source), (std::vector<double>{1, 2, 3, 4}));
  x[3] = 5;
  EXPECT_EQ(to_dense(source), (std::vector<double>{1, 2, 5, 4}));
}

TEST(Border, any_order_and_stride_gives_the_same_columns) {
  std::mt19937_64 rng(1);
  for (int round = 0; round < 200; ++round) {
    const auto n = 1 + static_cast<Index>(rng() % 150);
    const auto p = 1 + static_cast<Index>(rng() % 150);
    std::vector<float> rows, strided(static_cast<std::size_t>(2 * n * p), -1.0F);
    std::vector<double> expected(static_cast<std::size_t>(n * p));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < p; ++j) {
        rows.push_back(static_cast<float>(rng() % 1000));
        expected[j * n + i] = static_cast<double>(rows.back());
        strided[2 * ((n - 1 - i) * p + j)] = rows.back();  // every other number, rows from the last to the first
      }
    EXPECT_EQ(to_dense(make_source(row_major(rows.data(), n, p))), expected);
    const DenseMatrix<float> backwards{strided.data() + 2 * (n - 1) * p, n, p, -2 * p, 2};
    EXPECT_EQ(to_dense(make_source(backwards)), expected);
  }
}

TEST(Border, kept_rows_come_in_order) {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6};
  const std::vector<Index> keep = {0, 2};
  EXPECT_EQ(to_dense(make_source(column_major(x.data(), 3, 2), keep)), (std::vector<double>{1, 3, 4, 6}));
  const std::vector<int> indptr = {0, 2, 3}, indices = {2, 1, 0};
  const std::vector<double> values = {7, 8, 9};
  const auto sparse = make_source(SparseMatrix<double, int>{3, 2, indptr, indices, values}, keep);
  EXPECT_EQ(to_dense(sparse), (std::vector<double>{0, 7, 9, 0}));
}

TEST(Border, unsorted_and_repeated_entries_are_summed_on_a_copy) {
  const std::vector<int> indptr = {0, 4, 4}, indices = {2, 0, 2, 1};
  const std::vector<double> values = {1, 2, 3, 4};
  const auto columns = make_source(SparseMatrix<double, int>{3, 2, indptr, indices, values});
  EXPECT_EQ(to_dense(columns), (std::vector<double>{2, 4, 4, 0, 0, 0}));
  EXPECT_EQ(columns->stored(0), 3);
  EXPECT_EQ(values[0], 1);
}

TEST(Border, refuses_what_is_not_a_matrix) {
  const std::vector<double> x = {1, 2};
  EXPECT_REFUSED(make_source(column_major(x.data(), 0, 2)), "0 x 2");
  EXPECT_REFUSED(make_source(column_major(x.data(), 2, 0)), "2 x 0");
  EXPECT_REFUSED(make_source(column_major<double>(nullptr, 1, 2)), "null");
  EXPECT_REFUSED(make_source(column_major(x.data(), Index{1} << 40, Index{1} << 40)), "overflows");
  EXPECT_REFUSED(make_source(column_major(x.data(), -1, 2)), "-1 x 2");
}

TEST(Border, refuses_broken_sparse_structure) {
  using Sparse = SparseMatrix<double, std::int64_t>;
  using Indices = std::vector<std::int64_t>;
  const std::vector<double> values = {1, 2};
  const Indices good_indptr = {0, 1, 2}, good_indices = {0, 1};
  const auto check = [&](const Indices& indptr, const Indices& indices, const char* part) {
    EXPECT_REFUSED(make_source(Sparse{2, 2, indptr, indices, values}), part);
  };
  EXPECT_EQ(refusal([&] { (void)make_source(Sparse{2, 2, good_indptr, good_indices, values}); }), "accepted");
  check({0, 1}, good_indices, "X.indptr: length is 2; expected 3");
  check({0, 2, 1}, good_indices, "X.indptr[1]: value is 2");
  check({1, 1, 2}, good_indices, "X.indptr[0]");
  check({0, -1, 2}, good_indices, "X.indptr[1]: value is -1");
  check({0, 1, 3}, good_indices, "X.indptr[2]: value is 3");
  check(good_indptr, {0}, "X.indices: length is 1");
  check(good_indptr, {0, 2}, "X.indices[1]: row 2 in column 1; expected 0 to 1");
  check(good_indptr, {-1, 1}, "X.indices[0]: row -1 in column 0");
  EXPECT_REFUSED(make_source(Sparse{Index{1} << 33, 2, good_indptr, good_indices, values}), "at most 2147483647");
}

TEST(Statistics, refuse_entries_by_row_and_column) {
  core::ThreadPool pool(1);
  const std::vector<double> w(3, 1.0);
  const auto build = [&](double bad) {
    const std::vector<double> x = {1, 2, 3, 4, bad, 6};
    return View(make_source(column_major(x.data(), 3, 2)), w, {true, true}, pool);
  };
  EXPECT_REFUSED(build(std::numeric_limits<double>::quiet_NaN()), "X: row 1, column 1 is nan");
  EXPECT_REFUSED(build(-std::numeric_limits<double>::infinity()), "X: row 1, column 1 is -inf");
  EXPECT_REFUSED(build(1e300), "column 1 is 1e+300");
  EXPECT_REFUSED(build(std::numeric_limits<double>::max()), "column 1 is 1.79769e+308");
}

TEST(Statistics, refuse_columns_too_small_to_square) {
  core::ThreadPool pool(1);
  const std::vector<double> w(3, 1.0);
  for (const double tiny : {1e-300, 1e-150, 5e-324}) {
    const std::vector<double> x = {tiny, 0, -tiny};
    EXPECT_REFUSED(View(make_source(column_major(x.data(), 3, 1)), w, {false, true}, pool), "column 0");
  }
  const std::vector<double> mixed = {5e-324, 0, 2};  // a denormal beside ordinary numbers is nothing special
  EXPECT_NEAR(View(make_source(column_major(mixed.data(), 3, 1)), w, {false, true}, pool).norm(0), 1, 1e-15);
}

}  // namespace
}  // namespace ellzero::features
