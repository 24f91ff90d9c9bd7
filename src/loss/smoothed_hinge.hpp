// Smoothed hinge of width c with y in {-1, +1}: a support vector machine's loss with its kink rounded off.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/rounding.hpp"
#include "loss/contract.hpp"

namespace ellzero::loss {

struct SmoothedHinge {
  static constexpr std::string_view name = "smoothed-hinge";
  static constexpr std::string_view targets = "-1 or +1";
  static constexpr bool classifies = true;
  static constexpr bool quadratic = false;

  double width = 1;  ///< c > 0

  static bool is_target(double y) { return y == -1 || y == 1; }
  static SmoothedHinge from(const Settings& settings) { return {settings.hinge_width}; }
  [[nodiscard]] double mu() const { return width; }

  [[nodiscard]] double value(double u, double y) const { return value_of_sum(u, 0, y); }
  /// At u + rest: near the margin only the rest may be left.
  [[nodiscard]] double value_of_sum(double u, double rest, double y) const {
    const double missing = (1 - y * u) - y * rest;  // of the margin
    if (missing <= 0) return 0;
    return missing >= width ? missing - 0.5 * width : 0.5 * missing * missing / width;
  }
  [[nodiscard]] double derivative(double u, double y) const { return -y * std::clamp((1 - y * u) / width, 0.0, 1.0); }
  [[nodiscard]] double curvature(double u, double y) const {
    const double missing = 1 - y * u;
    return missing > 0 && missing < width ? 1 / width : 0;
  }
  [[nodiscard]] double conjugate(double a, double y) const {
    const double m = -y * a;
    if (!(m >= 0 && m <= 1)) return std::numeric_limits<double>::infinity();
    return -m + 0.5 * width * m * m;
  }
  [[nodiscard]] double conjugate_derivative(double a, double y) const { return y + width * a; }
  static double project(double a, double y) { return -y * std::clamp(-y * a, 0.0, 1.0); }
  [[nodiscard]] double conjugate_error(double a, double /*y*/) const {
    return 6 * core::unit_roundoff * (std::abs(a) + width * a * a);
  }
};

static_assert(Loss<SmoothedHinge>);

}  // namespace ellzero::loss
