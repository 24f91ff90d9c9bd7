// The public predict(): the same for every storage, by hand, and its refusals.
#include "ellzero/predict.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "ellzero/error.hpp"

namespace ellzero {
namespace {

const std::vector<double> columns = {1, 0, 3, 0, 5, 6};  // 3 x 2

std::vector<double> second_column_twice(const Matrix& X) {
  return predict(X, std::vector<double>{0.5, 0, 0}, 10, std::vector<Index>{1}, std::vector<double>{2});
}

TEST(Predict, is_the_same_for_every_storage) {
  const std::vector<double> expected = {10.5, 20, 22};
  const std::vector<double> rows = {1, 0, 0, 5, 3, 6};
  const std::vector<float> floats(columns.begin(), columns.end());
  EXPECT_EQ(second_column_twice(column_major(columns.data(), 3, 2)), expected);
  EXPECT_EQ(second_column_twice(row_major(rows.data(), 3, 2)), expected);
  EXPECT_EQ(second_column_twice(column_major(floats.data(), 3, 2)), expected);
  const std::vector<std::int64_t> indptr = {0, 2, 5}, indices = {0, 2, 2, 1, 2};  // 6 = 2 + 4, in two entries
  const std::vector<double> values = {1, 3, 2, 5, 4};
  EXPECT_EQ(second_column_twice(SparseMatrix<double, std::int64_t>{3, 2, indptr, indices, values}), expected);
}

TEST(Predict, an_empty_model_predicts_its_intercept) {
  EXPECT_EQ(predict(column_major(columns.data(), 3, 2), {}, 7, {}, {}), (std::vector<double>{7, 7, 7}));
}

struct PredictRefusal : testing::Test {
  Matrix X = column_major(columns.data(), 3, 2);
  std::vector<double> offset, coefficients = {1};
  std::vector<Index> support = {0};

  void expect(const std::string& message) const {
    try {
      predict(X, offset, 0, support, coefficients);
      ADD_FAILURE() << "accepted; expected: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
};

TEST_F(PredictRefusal, feature_that_is_no_column) {
  support = {2};
  expect("support: feature 2; expected 0 to 1, the columns of X");
}
TEST_F(PredictRefusal, coefficients_of_another_length) {
  coefficients = {1, 2};
  expect("coefficients: length is 2; expected 1, one for each of support");
}
TEST_F(PredictRefusal, offset_of_another_length) {
  offset = {1, 2};
  expect("offset: length is 2; expected 3, the number of rows of X");
}
TEST_F(PredictRefusal, entry_that_is_not_finite) {
  const std::vector<double> holed = {1, std::numeric_limits<double>::quiet_NaN(), 3, 4, 5, 6};
  X = column_major(holed.data(), 3, 2);
  expect("X: row 1, column 0 is nan; expected a finite number");
}
TEST_F(PredictRefusal, sparse_row_out_of_range) {
  const std::vector<std::int32_t> indptr = {0, 1, 1}, indices = {3};
  const std::vector<double> values = {1};
  X = SparseMatrix<double, std::int32_t>{3, 2, indptr, indices, values};
  expect("X.indices[0]: row 3 in column 0; expected 0 to 2");
}
TEST_F(PredictRefusal, sparse_column_beyond_the_entries) {
  const std::vector<std::int32_t> indptr = {0, 9, 9}, indices = {1};
  const std::vector<double> values = {1};
  X = SparseMatrix<double, std::int32_t>{3, 2, indptr, indices, values};
  expect("X.indptr[0]: 0 to 9; expected 0 to 1, the number of stored entries");
}

}  // namespace
}  // namespace ellzero
