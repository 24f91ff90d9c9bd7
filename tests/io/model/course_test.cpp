// The course of a computation keeps its ends and its shape in few moments.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/model/course.hpp"

namespace ellzero::io::model {
namespace {

TEST(Course, few_moments_are_kept_as_they_are) {
  Course course;
  for (int k = 0; k < 50; ++k) course.add({0.1 * k, 100.0 - k, 10.0 + k, k});
  ASSERT_EQ(course.moments().size(), 50U);
  EXPECT_EQ(course.moments()[7].objective, 93);
}

TEST(Course, many_moments_are_thinned_but_first_and_last_stay_and_time_never_falls) {
  Course course;
  const int count = 20000;
  for (int k = 0; k < count; ++k) course.add({0.01 * k, 1e6 - k, -1e6 + k, k});
  const auto& moments = course.moments();
  EXPECT_LE(moments.size(), Course::limit);
  EXPECT_GE(moments.size(), Course::limit / 2);
  EXPECT_EQ(moments.front().nodes, 0);
  EXPECT_EQ(moments.back().nodes, count - 1);
  for (std::size_t k = 1; k < moments.size(); ++k) EXPECT_LT(moments[k - 1].seconds, moments[k].seconds);
}

TEST(Course, early_moments_are_as_dense_as_late_ones_on_a_logarithmic_axis) {
  Course course;
  for (int k = 0; k < 100000; ++k) course.add({0.01 * k, 1e6 - k, -1e6 + k, k});
  int early = 0;
  for (const Moment& moment : course.moments()) early += moment.seconds < 1 ? 1 : 0;
  EXPECT_GT(early, 20);  // a tenth of them, of 1 second in 1000
}

TEST(Course, a_standstill_is_two_moments) {
  Course course;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  for (int k = 0; k < 100; ++k) course.add({0.1 * k, 5, unknown, k});
  ASSERT_EQ(course.moments().size(), 2U);
  EXPECT_EQ(course.moments()[1].nodes, 99);
  course.add({20, 4, 3, 100});
  EXPECT_EQ(course.moments().size(), 3U);
}

}  // namespace
}  // namespace ellzero::io::model
