// The laws of one coefficient's penalty on the primal side: its relaxation and both coordinate steps (docs/math.md
// sections 4 and 5), against brute force for every mix of lambdas, boxes and always-in.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "penalty/coordinate_cases.hpp"

namespace ellzero::penalty {
namespace {

TEST(Coordinate, relaxation_is_convex_and_below_g) {
  for_each_mix(10, 100, [](const Case& c, Draw& draw) {
    const double left = any_point(c, draw);
    const double right = any_point(c, draw);
    const double t = draw.uniform(0, 1);
    const double middle = std::clamp(t * left + (1 - t) * right, c.box.lo, c.box.hi);
    const double chord = t * c.coordinate.relaxation(left) + (1 - t) * c.coordinate.relaxation(right);
    // `middle` rounds too; twice the value at the farther end covers slope times |b| (phi is at most quadratic).
    const double farther = std::max(c.coordinate.relaxation(left), c.coordinate.relaxation(right));
    EXPECT_LE(c.coordinate.relaxation(middle), chord + 16 * unit_roundoff * farther) << left << " " << right;
    for (const double b : {left, middle, right})
      EXPECT_LE(c.coordinate.relaxation(b), c.g(b) * (1 + 8 * unit_roundoff)) << "b " << b;
  });
}

TEST(Coordinate, relaxation_is_the_biconjugate) {
  for_each_mix(11, 50, [](const Case& c, Draw& draw) {
    const double b = any_point(c, draw);
    const Lambdas& l = c.lambdas;
    // phi(b) = sup_tau Psi(tau) - tau b. The best tau is minus a slope of phi at b: at most this steep.
    const double steep = l.lambda1 + 2 * l.lambda2 * std::abs(b) + (b == 0 ? 0 : l.lambda0 / std::abs(b)) +
                         std::sqrt(l.lambda0 * l.lambda2) + 1;
    const double lowest = c.coordinate.needs_scaling(1) ? -l.lambda1 : -steep;  // Psi is -inf beyond (3.8)
    const double highest = c.coordinate.needs_scaling(-1) ? l.lambda1 : steep;
    const auto found =
        minimise([&](double tau) { return tau * static_cast<long double>(b) - c.psi(tau); }, lowest, highest);
    const auto phi = static_cast<double>(-found.value);
    // The best tau is found to a few roundings, which cost the slope of the kink there, no more than |b| plus the knee.
    const double knee = std::isfinite(c.coordinate.knee(b)) ? c.coordinate.knee(b) : 0;
    const double rounding = 16 * unit_roundoff * (phi + std::abs(found.where) * (std::abs(b) + knee));
    EXPECT_NEAR(c.coordinate.relaxation(b), phi, rounding) << "b " << b << " tau " << found.where;
  });
}

TEST(Coordinate, relaxation_is_linear_up_to_the_knee_and_g_beyond) {
  for_each_mix(12, 50, [](const Case& c, Draw& draw) {
    for (const double sign : {-1.0, 1.0}) {
      const double knee = c.coordinate.knee(sign);
      const double threshold = c.coordinate.threshold(sign);
      EXPECT_LE(knee, c.reach(sign));
      EXPECT_TRUE(c.jump() > 0 || knee == 0) << "knee " << knee;
      EXPECT_EQ(std::isinf(threshold), c.jump() > 0 && c.reach(sign) == 0) << "nothing moves a coefficient held at 0";
      const double inner = sign * (std::isinf(knee) ? draw.spread(1e-3, 1e3) : knee * draw.uniform(0, 1));
      const double line = c.base() + (inner == 0 ? 0 : threshold * std::abs(inner));
      EXPECT_NEAR(c.coordinate.relaxation(inner), line, 4 * unit_roundoff * line) << "b " << inner;
      if (std::isinf(knee)) continue;
      if (knee > 0) {  // the line meets g there
        const auto g = static_cast<double>(c.g(sign * knee));
        EXPECT_NEAR(c.coordinate.relaxation(sign * knee), g, 8 * unit_roundoff * g) << "knee " << knee;
      }
      if (knee == c.reach(sign)) continue;
      const double tangent = c.lambdas.lambda1 + 2 * c.lambdas.lambda2 * knee;  // and touches it
      EXPECT_NEAR(threshold, tangent, 8 * unit_roundoff * tangent);
      const double outer = sign * std::min(c.reach(sign), knee + draw.spread(1e-3, 1e2));
      const auto g = static_cast<double>(c.g(outer));
      EXPECT_NEAR(c.coordinate.relaxation(outer), g, 8 * unit_roundoff * g) << "b " << outer;
    }
  });
}

TEST(Coordinate, slope_and_curvature_are_those_of_the_relaxation) {
  for_each_mix(16, 50, [](const Case& c, Draw& draw) {
    const double sign = draw.sign();
    const double most = std::min(c.reach(sign), 1e3);
    EXPECT_EQ(c.coordinate.reach(sign), c.reach(sign));
    if (most == 0) return;
    const double one = sign * most * draw.uniform(1e-3, 1);
    const double other = draw.chance(0.5) ? sign * most * draw.uniform(1e-3, 1) : 0.999 * one;  // far or near
    const double left = std::min(one, other);
    const double right = std::max(one, other);
    // The mean slope of a convex function lies between the slopes at the ends.
    const double mean = (c.coordinate.relaxation(right) - c.coordinate.relaxation(left)) / (right - left);
    const double at_left = c.coordinate.relaxation_slope(left);
    const double at_right = c.coordinate.relaxation_slope(right);
    const double size = c.coordinate.relaxation(left) + c.coordinate.relaxation(right);
    const double rounding = 16 * unit_roundoff * size / (right - left);
    EXPECT_GE(mean, at_left - rounding) << left << " to " << right;
    EXPECT_LE(mean, at_right + rounding) << left << " to " << right;
    const auto is_linear = [&](double b) { return std::abs(b) <= c.coordinate.knee(sign); };
    if (is_linear(left) != is_linear(right)) return;
    const double steepening = c.coordinate.relaxation_curvature(left) * (right - left);
    EXPECT_NEAR(at_right - at_left, steepening, 8 * unit_roundoff * (std::abs(at_left) + std::abs(at_right)));
  });
}

/// L and c of a coordinate step; c is often where the step changes from one formula to the next, up to a few roundings.
struct Step {
  double L;
  double c;
};
Step any_step(const Case& c, Draw& draw) {
  const double L = draw.spread(1e-2, 1e2);
  const double sign = draw.sign();
  const double knee = std::isfinite(c.coordinate.knee(sign)) ? c.coordinate.knee(sign) : 1;
  const double tie = c.lambdas.lambda1 + std::sqrt(2 * c.jump() * (L + 2 * c.lambdas.lambda2));  // of 0 and hard_step
  if (draw.chance(0.2)) return {L, sign * tie * (1 + draw.below(9) * unit_roundoff - 4 * unit_roundoff)};
  return {L, sign * (std::abs(any_tau(c, draw)) + (draw.chance(0.5) ? L * knee : 0))};
}

TEST(Coordinate, relaxed_step_beats_every_other_point) {
  for_each_mix(13, 100, [](const Case& c, Draw& draw) {
    const auto [L, slope] = any_step(c, draw);
    const auto loss = [&, L = L, s = slope](long double b) { return L * b * b / 2 - s * b; };
    const auto at = [&](double b) { return loss(b) + c.coordinate.relaxation(b); };
    const double b = c.coordinate.relaxed_step(L, slope);
    ASSERT_TRUE(b >= c.box.lo && b <= c.box.hi) << "b " << b;
    for (const double sign : {-1.0, 1.0}) {
      const auto found = minimise_side(c, sign, 2 * std::abs(slope) / L, at);
      const double rounding = 8 * unit_roundoff * (std::abs(slope) * (std::abs(b) + std::abs(found.where)) + c.base());
      EXPECT_LE(at(b), found.value + rounding) << "L " << L << " c " << slope << " b " << b << " not " << found.where;
    }
  });
}

TEST(Coordinate, hard_step_beats_every_other_point) {
  for_each_mix(14, 100, [](const Case& c, Draw& draw) {
    const auto [L, slope] = any_step(c, draw);
    const auto loss = [&, L = L, s = slope](long double b) { return L * b * b / 2 - s * b; };
    const double b = c.coordinate.hard_step(L, slope);
    ASSERT_TRUE(b >= c.box.lo && b <= c.box.hi) << "b " << b;
    const long double here = loss(b) + c.g(b);
    EXPECT_LE(here, c.base() + 8 * unit_roundoff * c.lambdas.lambda0) << "no worse than 0";
    for (const double sign : {-1.0, 1.0}) {
      const auto in = [&](long double x) { return loss(x) + c.base() + c.jump() + c.smooth(x); };  // g for x != 0
      const auto found = minimise_side(c, sign, 2 * std::abs(slope) / L, in);
      const double size = std::abs(slope * found.where) + c.lambdas.lambda0;
      EXPECT_LE(here, found.value + 8 * unit_roundoff * size) << "L " << L << " c " << slope << " b " << b;
    }
  });
}

TEST(Coordinate, hard_step_stays_at_0_on_ties) {
  const Coordinate free({.lambda0 = 2.25});  // b = 1.5 is worth exactly 2.25 for L = 2, c = 3
  EXPECT_EQ(free.hard_step(2, 3), 0);
  EXPECT_EQ(free.hard_step(2, -3), 0);
  EXPECT_EQ(Coordinate({.lambda0 = 2.2499999999999996}).hard_step(2, 3), 1.5);
  EXPECT_EQ(Coordinate({.lambda0 = 2.2499999999999996}).hard_step(2, -3), -1.5);
  const Lambdas all{.lambda0 = 2.25, .lambda1 = 0.5, .lambda2 = 0.25};
  EXPECT_EQ(Coordinate(all).hard_step(1.5, 3.5), 0);  // L + 2 lambda2 = 2 and |c| - lambda1 = 3
  EXPECT_EQ(Coordinate(all, {}, true).hard_step(1.5, 3.5), 1.5) << "always-in: no price to beat";
  const Coordinate boxed({.lambda0 = 2}, {-1, 1});  // b = 1 is worth 3 - 1
  EXPECT_EQ(boxed.hard_step(2, 3), 0);
  EXPECT_EQ(boxed.hard_step(2, -3), 0);
  EXPECT_EQ(boxed.hard_step(2, 3.0000000000000004), 1);
  EXPECT_EQ(Coordinate({.lambda1 = 3}).hard_step(1, 3), 0);
  EXPECT_EQ(Coordinate({}).hard_step(1, 0), 0);
}

TEST(Coordinate, always_in_pays_lambda0_whatever_happens) {
  for_each_mix(15, 50, [](const Case& c, Draw& draw) {
    const Coordinate always(c.lambdas, c.box, true);
    const Coordinate without({0, c.lambdas.lambda1, c.lambdas.lambda2}, c.box);
    const double lambda0 = c.lambdas.lambda0;
    EXPECT_EQ(always.jump(), 0);
    EXPECT_EQ(always.value(0), lambda0);
    EXPECT_EQ(always.relaxation(0), lambda0);
    const double b = any_point(c, draw);
    const double tau = any_tau(c, draw);
    const double size = lambda0 + without.value(b);
    EXPECT_NEAR(always.value(b), lambda0 + without.value(b), 2 * unit_roundoff * size) << "b " << b;
    EXPECT_NEAR(always.relaxation(b), always.value(b), 4 * unit_roundoff * size) << "phi is g without the jump";
    EXPECT_EQ(always.conjugate(tau), without.conjugate(tau));
    EXPECT_EQ(always.psi(tau), lambda0 - always.conjugate(tau)) << "tau " << tau;
    EXPECT_EQ(always.link(tau), without.link(tau));
    EXPECT_EQ(always.hard_step(2, tau), without.hard_step(2, tau));
    EXPECT_EQ(always.relaxed_step(2, tau), without.relaxed_step(2, tau));
    EXPECT_EQ(always.threshold(tau), c.lambdas.lambda1);
  });
}

/// Every result is a number, and the laws that need no tolerance hold.
void expect_sane(const Case& c, double tau, double b) {
  const Coordinate& coordinate = c.coordinate;
  EXPECT_GE(coordinate.conjugate(tau), 0);
  EXPECT_LE(coordinate.psi(tau), c.base());
  for (const double error : {0.0, 1e-30, 1e-15 * std::abs(tau)})
    EXPECT_LE(coordinate.psi_below(tau, error), coordinate.psi(tau)) << "error " << error;
  EXPECT_FALSE(std::isnan(coordinate.link(tau)));
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_GE(coordinate.threshold(sign), c.lambdas.lambda1);
    EXPECT_GE(coordinate.knee(sign), 0);
  }
  EXPECT_GE(coordinate.relaxation(b), c.base());
  EXPECT_LE(coordinate.relaxation(b), c.g(b) * (1 + 8 * unit_roundoff)) << "b " << b;
  for (const double L : {1e-30, 1.0, 1e30})
    for (const double step : {coordinate.relaxed_step(L, tau), coordinate.hard_step(L, tau)})
      EXPECT_TRUE(step >= c.box.lo && step <= c.box.hi && std::isfinite(step)) << "L " << L << " step " << step;
}

TEST(Coordinate, extreme_lambdas_and_boxes_give_numbers) {
  const double sizes[] = {0, 1e-30, 1, 1e30, 1e60};
  const double reaches[] = {0, 1e-30, 1, 1e30, infinity};
  for (int mix = 0; mix < 5 * 5 * 5 * 5 * 5 * 2 && !HasFailure(); ++mix) {
    const Lambdas lambdas{sizes[mix % 5], sizes[mix / 5 % 5], sizes[mix / 25 % 5]};
    const Case c{lambdas, {-reaches[mix / 125 % 5], reaches[mix / 625 % 5]}, mix / 3125 == 1};
    SCOPED_TRACE(c.text());
    for (const double size : {0.0, 1e-30, 1.0, 1e30, 1e60})
      for (const double sign : {-1.0, 1.0}) {
        const double b = sign * std::min(size, c.reach(sign));
        expect_sane(c, sign * size, b);
      }
  }
}

TEST(Coordinate, a_tau_that_is_not_a_number_proves_nothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Coordinate({1, 0, 1}).psi_below(nan, 0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(Coordinate({1, 0, 1}).psi_below(0, nan), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ellzero::penalty
