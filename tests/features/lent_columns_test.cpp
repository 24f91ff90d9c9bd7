// Columns that are lent give the bits of the matrix they are from, in any order, by any block, also without some rows.
#include "features/lent_columns.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ellzero/error.hpp"
#include "features/make_source.hpp"

namespace ellzero::features {
namespace {

/// Lends copies by rows or by columns, and counts those that were not given back.
template <class T>
class Lender final : public ColumnSource {
 public:
  Lender(Index n, Index p, bool by_rows, Index most) : n_(n), p_(p), by_rows_(by_rows), most_(most) {
    std::mt19937_64 rng(11);
    std::normal_distribution<double> normal;
    for (Index e = 0; e < n * p; ++e) values.push_back(static_cast<T>(normal(rng)));
  }
  ~Lender() override { EXPECT_EQ(*lent_, 0); }

  [[nodiscard]] Index rows() const override { return n_; }
  [[nodiscard]] Index cols() const override { return p_; }
  [[nodiscard]] Index block() const override { return most_; }
  [[nodiscard]] Lent lend(std::span<const Index> columns) const override {
    const auto count = static_cast<Index>(columns.size());
    EXPECT_LE(count, most_);
    auto* const copy = new std::vector<T>(static_cast<std::size_t>(n_ * count));
    const DenseMatrix<T> X = by_rows_ ? row_major(copy->data(), n_, count) : column_major(copy->data(), n_, count);
    for (Index c = 0; c < count; ++c)
      for (Index i = 0; i < n_; ++i) (*copy)[i * X.row_stride + c * X.col_stride] = values[columns[c] * n_ + i];
    ++*lent_;
    const auto give_back = [lent = lent_](const std::vector<T>* entries) {
      --*lent;
      delete entries;
    };
    return {X, std::shared_ptr<const std::vector<T>>(copy, give_back)};
  }
  [[nodiscard]] DenseMatrix<T> matrix() const { return column_major(values.data(), n_, p_); }

  std::vector<T> values;

 private:
  Index n_, p_;
  bool by_rows_;
  Index most_;
  std::shared_ptr<int> lent_ = std::make_shared<int>(0);
};

std::vector<double> numbers(std::size_t count) {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  std::vector<double> found(count);
  for (double& x : found) x = uniform(rng);
  return found;
}

void expect_same_bits(const FeatureSource& one, const FeatureSource& other) {
  const auto n = static_cast<std::size_t>(other.rows());
  ASSERT_EQ(one.rows(), other.rows());
  ASSERT_EQ(one.cols(), other.cols());
  EXPECT_EQ(one.dot_error(), other.dot_error());
  const auto v = numbers(n), w = numbers(n + 1);
  const std::vector<Index> columns = {6, 0, 1, 2, 9, 4, 3};
  const auto means = numbers(columns.size());
  const std::vector<const double*> vectors = {v.data(), w.data(), v.data(), w.data(), w.data() + 1};
  const auto answers = [&](const FeatureSource& source) {
    std::vector<double> found(n + 7 + 35 + 7 + 1);
    const std::span<double> all(found);
    source.read(5, nullptr, found.data());
    source.sweep(columns, v, all.subspan(n, 7));
    source.cross(columns, vectors, all.subspan(n + 7, 35));
    source.square_sums(columns, v, 1, means, all.subspan(n + 42, 7));
    found.back() = source.dot_from(3, 0.25, v);
    return found;
  };
  EXPECT_EQ(answers(one), answers(other));
}

template <class T>
void expect_the_bits_of_the_matrix() {
  const std::vector<Index> keep = {0, 3, 4, 5, 9, 20, 21, 22, 23, 24, 25, 90, 98};
  for (const bool by_rows : {false, true})
    for (const Index most : {1, 3, 64}) {
      const Lender<T> lender(99, 10, by_rows, most);
      expect_same_bits(lender, *make_source(lender.matrix()));
      expect_same_bits(*make_source(&lender, keep), *make_source(lender.matrix(), keep));
    }
}

TEST(LentColumns, have_the_bits_of_the_matrix) {
  expect_the_bits_of_the_matrix<double>();
  expect_the_bits_of_the_matrix<float>();
}

TEST(LentColumns, an_entry_that_is_no_number_is_named_as_the_user_counts) {
  Lender<double> lender(40, 10, false, 64);
  lender.values[4 * 40 + 7] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Index> columns = {1, 4}, keep = {3, 8, 9};
  const auto refusal = [&](const FeatureSource& source) {
    std::vector<double> sums(2), v(static_cast<std::size_t>(source.rows()), 1.0);
    try {
      source.sweep(columns, v, sums);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal(lender), "X: row 7, column 4 is nan; expected a finite number");
  EXPECT_EQ(refusal(*make_source(&lender, keep)), "X: row 7, column 4 is nan; expected a finite number");
}

}  // namespace
}  // namespace ellzero::features
