// Whole numbers from rounded proportions, and which dependences of columns are remembered as what.
#include "exact/sizes/spans.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ellzero::exact::sizes {
namespace {

std::vector<double> whole(std::vector<double> numbers) { return to_whole_numbers(numbers); }

TEST(WholeNumbers, keep_proportions) {
  EXPECT_EQ(whole({-1, 1, 1}), (std::vector<double>{-1, 1, 1}));
  EXPECT_EQ(whole({-1e-3, 0.5e-3 * (1 + 1e-12)}), (std::vector<double>{-2, 1}));
  EXPECT_EQ(whole({-1, 1.0 / 3, 0.4}), (std::vector<double>{-15, 5, 6}));
  EXPECT_EQ(whole({-1, 9.0 / 5}), (std::vector<double>{-5, 9}));
  EXPECT_EQ(whole({1, 999}), (std::vector<double>{1, 999}));
}

TEST(WholeNumbers, are_none_for_others) {
  EXPECT_TRUE(whole({1, 3.14159265358979}).empty());
  EXPECT_TRUE(whole({1, 1e9}).empty());
}

TEST(Spans, ask_once_and_remember_the_smallest_that_is_in_doubt) {
  const std::vector<std::vector<double>> columns = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  int asked = 0;
  Spans spans(columns, 0b1000, [&](std::span<const int> chosen, std::span<const double> /*coefficients*/) {
    ++asked;
    return chosen.size() == 2;  // the copy is exact, the sum is not
  });
  spans.note(0b01011, 0b10000);
  EXPECT_EQ(spans.doubtful(), 0U);
  EXPECT_GT(spans.smallest_doubtful(), 5);
  spans.note(0b01001, 0b10000);
  EXPECT_EQ(asked, 1);
  spans.note(0b01011, 0b10100);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(spans.doubtful(), 0b00111U);
  EXPECT_EQ(spans.smallest_doubtful(), 4);  // with the feature that all models hold
}

}  // namespace
}  // namespace ellzero::exact::sizes
