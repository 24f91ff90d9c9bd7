// The laws of one coefficient's penalty on the dual side: g, its conjugate, Psi and the link (docs/math.md section 3),
// against brute force for every mix of lambdas, boxes and always-in.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "penalty/coordinate_cases.hpp"

namespace ellzero::penalty {
namespace {

/// sup over the box of -tau b - lambda1 |b| - lambda2 b^2, by trying.
ellzero::testing::Minimum brute_force_q(const Case& c, double tau) {
  ellzero::testing::Minimum best{0, 0};
  for (const double sign : {-1.0, 1.0}) {
    const bool downhill = sign * tau < 0 && std::abs(tau) > c.lambdas.lambda1;
    if (c.lambdas.lambda2 == 0 && c.reach(sign) == infinity && downhill) return {sign * infinity, infinity};
    const double far = c.lambdas.lambda2 > 0 ? std::abs(tau) / c.lambdas.lambda2 : downhill ? infinity : 1;
    const auto found = minimise_side(c, sign, far, [&](long double b) { return tau * b + c.smooth(b); });
    if (-found.value > best.value) best = {found.where, -found.value};
  }
  return best;
}

TEST(Coordinate, value_is_g) {
  for_each_mix(1, 50, [](const Case& c, Draw& draw) {
    const double b = any_point(c, draw);
    const auto g = static_cast<double>(c.g(b));
    EXPECT_NEAR(c.coordinate.value(b), g, 4 * unit_roundoff * g) << "b " << b;
    EXPECT_EQ(c.coordinate.value(0), c.base());
    for (const double end : {c.box.lo, c.box.hi}) {
      if (std::isinf(end)) continue;
      const double outside = std::nextafter(end, end == c.box.hi ? infinity : -infinity);
      EXPECT_EQ(c.coordinate.value(outside), infinity);
      EXPECT_EQ(c.coordinate.relaxation(outside), infinity);
    }
  });
}

TEST(Coordinate, conjugate_is_the_largest_value_over_the_box) {
  for_each_mix(2, 50, [](const Case& c, Draw& draw) {
    const double tau = any_tau(c, draw);
    const auto brute = brute_force_q(c, tau);
    const auto sup = static_cast<double>(brute.value);
    // The second term is the rounding of the brute force itself, whose terms may cancel: long double's 2^-64 of each.
    const double far = std::isinf(sup) ? 0 : 0x1p-60 * std::abs(tau * brute.where);
    if (std::isinf(sup)) {
      EXPECT_EQ(c.coordinate.conjugate(tau), infinity) << "tau " << tau;
      EXPECT_EQ(c.q(tau), infinity) << "tau " << tau;
    } else {
      EXPECT_NEAR(c.coordinate.conjugate(tau), sup, 8 * unit_roundoff * sup + far) << "tau " << tau;
      EXPECT_NEAR(static_cast<double>(c.q(tau)), sup, 4 * unit_roundoff * sup + far) << "tau " << tau;
    }
  });
}

TEST(Coordinate, conjugate_is_infinite_only_where_nothing_holds_the_coefficient) {
  for_each_mix(3, 50, [](const Case& c, Draw& draw) {
    const double tau = any_tau(c, draw);
    const bool held = c.lambdas.lambda2 > 0 || c.reach(-tau) < infinity || std::abs(tau) <= c.lambdas.lambda1;
    EXPECT_EQ(std::isfinite(c.coordinate.conjugate(tau)), held) << "tau " << tau;
    for (const double sign : {-1.0, 1.0})
      EXPECT_EQ(c.coordinate.needs_scaling(sign), c.lambdas.lambda2 == 0 && c.reach(sign) == infinity);
  });
}

TEST(Coordinate, psi_is_the_least_tau_b_plus_g) {
  for_each_mix(4, 50, [](const Case& c, Draw& draw) {
    const double tau = any_tau(c, draw);
    const double psi = c.coordinate.psi(tau);
    const auto brute = brute_force_q(c, tau);
    const long double least = c.base() + std::min(0.0L, c.jump() - brute.value);  // b = 0, or the best b != 0
    if (std::isinf(least)) {
      EXPECT_EQ(psi, -infinity) << "tau " << tau;
      return;
    }
    const auto rounding = static_cast<double>(8 * unit_roundoff * (c.lambdas.lambda0 + brute.value) +
                                              0x1p-60 * std::abs(tau * brute.where));
    EXPECT_NEAR(psi, static_cast<double>(least), rounding) << "tau " << tau;
    EXPECT_NEAR(static_cast<double>(c.psi(tau)), static_cast<double>(least), rounding) << "tau " << tau;
    for (int k = 0; k < 20; ++k) {
      const double b = any_point(c, draw);
      EXPECT_LE(psi, tau * b + c.g(b) + rounding + 4 * unit_roundoff * std::abs(tau * b)) << "tau " << tau;
    }
  });
}

TEST(Coordinate, link_attains_psi) {
  for_each_mix(5, 100, [](const Case& c, Draw& draw) {
    const double tau = any_tau(c, draw);
    const double b = c.coordinate.link(tau);
    if (std::isinf(c.coordinate.psi(tau))) {
      EXPECT_EQ(b, std::copysign(infinity, -tau));
      return;
    }
    EXPECT_TRUE(b >= c.box.lo && b <= c.box.hi) << "b " << b;
    const long double at_link = tau * static_cast<long double>(b) + c.g(b);
    // A b one rounding off the minimiser, or kept when q and lambda0 differ by roundings only, costs roundings of q.
    // The last term is long double's rounding of tau b + lambda1 |b|, which may cancel.
    const auto rounding = static_cast<double>(16 * unit_roundoff * (c.lambdas.lambda0 + c.q(tau)) +  //
                                              0x1p-60 * std::abs(tau * b));
    EXPECT_NEAR(static_cast<double>(at_link), static_cast<double>(c.psi(tau)), rounding) << "tau " << tau << " b " << b;
  });
}

TEST(Coordinate, link_jumps_at_the_threshold) {
  for_each_mix(6, 50, [](const Case& c, Draw& /*draw*/) {
    for (const double sign : {-1.0, 1.0}) {
      const double threshold = c.coordinate.threshold(sign);
      if (c.reach(sign) == 0 || threshold == 0) continue;
      EXPECT_EQ(c.coordinate.link(-sign * threshold * (1 - 1e-12)), 0);
      EXPECT_EQ(c.coordinate.psi(-sign * threshold * (1 - 1e-12)), c.base());
      EXPECT_GE(c.coordinate.link(-sign * threshold * (1 + 1e-12)) * sign, c.coordinate.knee(sign) * (1 - 1e-9));
      EXPECT_GT(c.coordinate.conjugate(-sign * threshold * (1 + 1e-9)), c.jump());
    }
  });
}

/// How far tau may be off: nothing, a fraction of its last digit, or more than all of it.
double any_error(double tau, Draw& draw) {
  return draw.chance(0.1) ? 0 : draw.spread(1e-18, 1) * (std::abs(tau) + (draw.chance(0.1) ? 1 : 0));
}

TEST(Coordinate, psi_below_is_below_psi_at_every_number_of_the_interval) {
  for_each_mix(7, 100, [](const Case& c, Draw& draw) {
    const double tau = any_tau(c, draw);
    const double error = any_error(tau, draw);
    const double below = c.coordinate.psi_below(tau, error);
    for (const double part : {-1.0, -0.5, 0.0, 0.5, 1.0, draw.uniform(-1, 1), draw.uniform(-1, 1)})
      EXPECT_LE(below, c.psi(tau + part * error)) << "tau " << tau << " error " << error << " part " << part;
  });
}

// psi_below rounds tau - error and tau + error, inwards at times. That is why the errors it is given must exceed the
// true ones by some roundings of tau: here by 4, in core::dot_error by 8.
TEST(Coordinate, psi_below_is_below_psi_between_the_numbers_too) {
  for_each_mix(8, 100, [](const Case& c, Draw& draw) {
    const double tau = any_tau(c, draw);
    const double true_error = any_error(tau, draw);
    const double below = c.coordinate.psi_below(tau, true_error + 4 * unit_roundoff * (std::abs(tau) + true_error));
    for (const long double part : {-1.0, -0.9, 0.9, 1.0, draw.uniform(-1, 1)})
      EXPECT_LE(below, c.psi(tau + part * true_error)) << "tau " << tau << " error " << true_error << " part " << part;
  });
}

TEST(Coordinate, psi_below_gives_away_roundings_only) {
  for_each_mix(9, 100, [](const Case& c, Draw& draw) {
    const double tau = any_tau(c, draw);
    const double error = any_error(tau, draw);
    for (const double e : {0.0, error}) {
      const double least = std::min(c.coordinate.psi(tau - e), c.coordinate.psi(tau + e));
      const double q = std::max(c.coordinate.conjugate(tau - e), c.coordinate.conjugate(tau + e));
      const double below = c.coordinate.psi_below(tau, e);
      if (std::isinf(least)) EXPECT_EQ(below, least);
      else EXPECT_GE(below, least - 24 * unit_roundoff * (q + c.lambdas.lambda0)) << "tau " << tau << " error " << e;
    }
  });
}

}  // namespace
}  // namespace ellzero::penalty
