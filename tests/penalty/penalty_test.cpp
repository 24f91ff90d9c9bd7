// The penalties of all coefficients: every feature gets its own box and price, and the sums over them are right.
#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "penalty/penalty.hpp"
#include "random_cases.hpp"

namespace ellzero::penalty {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Feature {
  Box box;
  bool always_in = false;
};

Penalty make_penalty(const Lambdas& lambdas, const std::vector<Feature>& features) {
  const auto at = [&](Index j) { return features[static_cast<std::size_t>(j)]; };
  return Penalty(
      lambdas, static_cast<Index>(features.size()), [&](Index j) { return at(j).box; },
      [&](Index j) { return at(j).always_in; });
}

/// The two give the same numbers, to the last digit, for both signs and on both sides of every corner.
void expect_same(const Coordinate& one, const Coordinate& other) {
  EXPECT_EQ(one.jump(), other.jump());
  EXPECT_EQ(one.lambda2(), other.lambda2());
  for (const double x : {-7.0, -1.5, -0.25, 0.0, 0.25, 1.5, 7.0}) {
    EXPECT_EQ(one.value(x), other.value(x)) << "b " << x;
    EXPECT_EQ(one.relaxation(x), other.relaxation(x)) << "b " << x;
    EXPECT_EQ(one.psi(x), other.psi(x)) << "tau " << x;
    EXPECT_EQ(one.hard_step(0.5, x), other.hard_step(0.5, x)) << "c " << x;
    EXPECT_EQ(one.needs_scaling(x), other.needs_scaling(x)) << "sign of " << x;
  }
}

TEST(Penalty, gives_every_feature_its_own_coordinate) {
  ellzero::testing::Draw draw(3);
  const double sides[] = {0, 0.5, 2, infinity};  // few kinds, so that many features share one
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Lambdas lambdas{draw.uniform(0, 2), draw.uniform(0, 1), draw.chance(0.5) ? draw.uniform(0, 1) : 0};
    std::vector<Feature> features(static_cast<std::size_t>(draw.below(60) + 1));
    for (Feature& f : features) f = {{-sides[draw.below(4)], sides[draw.below(4)]}, draw.chance(0.3)};
    const Penalty penalty = make_penalty(lambdas, features);
    for (std::size_t j = 0; j < features.size(); ++j) {
      SCOPED_TRACE(j);
      expect_same(penalty[static_cast<Index>(j)], Coordinate(lambdas, features[j].box, features[j].always_in));
    }
  }
}

TEST(Penalty, without_boxes_is_one_coordinate_for_all) {
  const Lambdas lambdas{1, 0.5, 0.25};
  const Penalty penalty(lambdas);
  for (const Index j : {Index{0}, Index{1}, Index{1'000'000'000'000}}) expect_same(penalty[j], Coordinate(lambdas));
  EXPECT_EQ(penalty.lambdas().lambda0, 1);
  EXPECT_EQ(penalty.lambdas().lambda1, 0.5);
  EXPECT_EQ(penalty.lambdas().lambda2, 0.25);
}

TEST(Penalty, features_alike_share_one_coordinate) {
  const Feature plain{{-1, 2}};
  const Feature always{{-1, 2}, true};
  const Penalty penalty = make_penalty({1, 0, 1}, {plain, always, plain, {{-2, 1}}, always});
  EXPECT_EQ(&penalty[0], &penalty[2]);
  EXPECT_EQ(&penalty[1], &penalty[4]);
  EXPECT_NE(&penalty[0], &penalty[1]) << "always-in is another price";
  EXPECT_NE(&penalty[0], &penalty[3]) << "the mirrored box is another box";
}

TEST(Penalty, at_zero_is_the_price_of_the_always_in_features) {
  EXPECT_EQ(Penalty({.lambda0 = 3}).at_zero(), 0);
  EXPECT_EQ(make_penalty({.lambda0 = 3}, {{}, {}}).at_zero(), 0);
  const std::vector<Feature> features = {{{}, true}, {{-1, 1}}, {{-1, 1}, true}, {}, {{}, true}};
  const Penalty penalty = make_penalty({.lambda0 = 3, .lambda1 = 1}, features);
  EXPECT_EQ(penalty.at_zero(), 9);
  double sum = 0;
  for (Index j = 0; j < 5; ++j) sum += penalty[j].value(0);
  EXPECT_EQ(penalty.at_zero(), sum);
  EXPECT_EQ(make_penalty({.lambda1 = 1}, features).at_zero(), 0);
}

TEST(Penalty, may_need_scaling_where_nothing_holds_a_coefficient) {
  const Lambdas lasso{.lambda0 = 1, .lambda1 = 1};
  const Lambdas ridge{.lambda0 = 1, .lambda1 = 1, .lambda2 = 1e-300};
  EXPECT_TRUE(Penalty(lasso).may_need_scaling());
  EXPECT_FALSE(Penalty(ridge).may_need_scaling());
  struct Expected {
    Box box;
    bool with_lambda1_only;
  };
  for (const auto& [box, expected] : {Expected{{}, true}, Expected{{-1, 1}, false}, Expected{{0, 0}, false},  //
                                      Expected{{0, infinity}, true}, Expected{{-infinity, 0}, true},
                                      Expected{{-1, infinity}, true}, Expected{{-infinity, 1}, true}}) {
    SCOPED_TRACE(::testing::Message() << "box " << box.lo << " to " << box.hi);
    for (const bool always_in : {false, true}) {
      EXPECT_EQ(make_penalty(lasso, {{box, always_in}}).may_need_scaling(), expected);
      EXPECT_EQ(make_penalty(lasso, {{{-1, 1}}, {box, always_in}, {{0, 1}}}).may_need_scaling(), expected);
      EXPECT_FALSE(make_penalty(ridge, {{box, always_in}}).may_need_scaling());
    }
  }
}

}  // namespace
}  // namespace ellzero::penalty
