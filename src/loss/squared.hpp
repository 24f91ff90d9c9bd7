// Squared loss, (u - y)^2 / 2: regression.
#pragma once

#include <cmath>
#include <string_view>

#include "core/rounding.hpp"
#include "loss/contract.hpp"

namespace ellzero::loss {

struct Squared {
  static constexpr std::string_view name = "squared";
  static constexpr std::string_view targets = "a finite number";
  static constexpr bool classifies = false;
  static constexpr bool quadratic = true;

  static bool is_target(double y) { return std::isfinite(y); }
  static Squared from(const Settings& /*settings*/) { return {}; }
  static double mu() { return 1; }
  static double value(double u, double y) { return 0.5 * (u - y) * (u - y); }
  static double derivative(double u, double y) { return u - y; }
  static double curvature(double /*u*/, double /*y*/) { return 1; }
  static double conjugate(double a, double y) { return 0.5 * a * a + y * a; }
  static double conjugate_derivative(double a, double y) { return a + y; }
  static double project(double a, double /*y*/) { return a; }
  /// Four roundings of y a, and the one that y may have from taking an offset and a constant off (10.8).
  static double conjugate_error(double a, double y) { return 6 * core::unit_roundoff * (a * a + std::abs(y * a)); }
};

static_assert(Loss<Squared>);

}  // namespace ellzero::loss
