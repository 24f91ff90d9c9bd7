// Random penalties of one coefficient beside the plain formulas they were made of, for the tests of Coordinate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/rounding.hpp"
#include "penalty/coordinate.hpp"
#include "random_cases.hpp"

namespace ellzero::penalty {

using core::unit_roundoff;
using ellzero::testing::Draw;
using ellzero::testing::minimise;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A Coordinate and, next to it, what it was made of: the plain formulas below are written from (1.2) and (3.1) only.
struct Case {
  Lambdas lambdas;
  Box box;
  bool always_in = false;
  Coordinate coordinate = Coordinate(lambdas, box, always_in);

  [[nodiscard]] double base() const { return always_in ? lambdas.lambda0 : 0; }
  [[nodiscard]] double jump() const { return always_in ? 0 : lambdas.lambda0; }
  [[nodiscard]] double reach(double sign) const { return sign > 0 ? box.hi : -box.lo; }
  [[nodiscard]] long double smooth(long double b) const {
    return lambdas.lambda1 * std::abs(b) + lambdas.lambda2 * b * b;
  }
  [[nodiscard]] long double g(long double b) const {
    if (b < box.lo || b > box.hi) return infinity;
    return base() + (b == 0 ? 0 : jump() + smooth(b));
  }
  /// q of (3.1) in long double; brute_force_q checks it.
  [[nodiscard]] long double q(long double tau) const {
    const long double a = std::abs(tau) - lambdas.lambda1;
    if (a <= 0) return 0;
    const long double most = reach(tau < 0 ? 1 : -1);
    const long double b = lambdas.lambda2 > 0 ? std::min(a / (2 * lambdas.lambda2), most) : most;
    return std::isinf(b) ? b : (a - lambdas.lambda2 * b) * b;
  }
  [[nodiscard]] long double psi(long double tau) const { return base() + std::min(0.0L, jump() - q(tau)); }
  [[nodiscard]] std::string text() const {
    return fmt::format("lambda0 {} lambda1 {} lambda2 {} box [{}, {}] always {}", lambdas.lambda0, lambdas.lambda1,
                       lambdas.lambda2, box.lo, box.hi, always_in);
  }
};

inline double any_side(Draw& draw, int kind) { return kind == 0 ? 0 : kind == 1 ? draw.spread(1e-2, 1e2) : infinity; }

/// Calls law(c, draw) `repeats` times for each of the 144 mixes of zero or positive lambdas, of sides of the box that
/// are 0, finite or infinite, and of ordinary and always-in. Stops after the first case that breaks the law.
template <class Law>
void for_each_mix(std::uint64_t seed, int repeats, Law law) {
  Draw draw(seed);
  for (int mix = 0; mix < 144 * repeats; ++mix) {
    const auto lambda = [&](int bit) { return (mix >> bit & 1) != 0 ? draw.spread(1e-2, 1e2) : 0; };
    const int sides = mix / 8 % 9;
    const Lambdas lambdas{lambda(0), lambda(1), lambda(2)};
    const Box box{-any_side(draw, sides % 3), any_side(draw, sides / 3)};
    const Case c{lambdas, box, mix / 72 % 2 == 1};
    SCOPED_TRACE(c.text());
    law(c, draw);
    if (::testing::Test::HasFailure()) return;
  }
}

/// Any tau; often one where something changes: 0, lambda1, or the threshold, up to a few roundings.
inline double any_tau(const Case& c, Draw& draw) {
  const double sign = draw.sign();
  const int kind = draw.below(6);
  if (kind > 2) return sign * draw.spread(1e-3, 1e3);
  const double corner = kind == 0 ? c.lambdas.lambda1 : c.coordinate.threshold(-sign);
  if (kind == 2 || !std::isfinite(corner)) return draw.chance(0.1) ? 0 : sign * draw.uniform(0, 10);
  return sign * corner * (1 + draw.below(9) * unit_roundoff - 4 * unit_roundoff);
}

/// A point of the box; often an end, the knee or 0.
inline double any_point(const Case& c, Draw& draw) {
  const double sign = draw.sign();
  const double most = c.reach(sign);
  const int kind = draw.below(8);
  if (kind == 0) return 0;
  if (kind == 1 && std::isfinite(most)) return sign * most;
  if (kind == 2 && std::isfinite(c.coordinate.knee(sign))) return sign * c.coordinate.knee(sign);
  return sign * std::min(most, draw.spread(1e-3, 1e3));
}

/// The least of f over 0 < sign b <= reach, where f is convex and its minimiser has |b| <= `far` if any has.
template <class F>
ellzero::testing::Minimum minimise_side(const Case& c, double sign, double far, F f) {
  auto found = minimise([&](double x) { return f(sign * x); }, 0, std::min(c.reach(sign), far));
  found.where *= sign;
  return found;
}

}  // namespace ellzero::penalty
