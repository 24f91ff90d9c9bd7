// Logistic loss, log(1 + e^u) - y u with y in {0, 1}: classification with probabilities.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/rounding.hpp"
#include "loss/contract.hpp"

namespace ellzero::loss {

struct Logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view targets = "0 or 1";
  static constexpr bool classifies = true;
  static constexpr bool quadratic = false;

  static bool is_target(double y) { return y == 0 || y == 1; }
  static Logistic from(const Settings& /*settings*/) { return {}; }
  static double mu() { return 4; }

  /// log(1 + e^z) with z = u for y = 0 and -u for y = 1: a sum of two non-negative numbers, no overflow or
  /// cancellation.
  static double value(double u, double y) {
    const double z = signed_margin(u, y);
    return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z)));
  }
  /// s(u) - y: s(u) for y = 0 and -s(-u) for y = 1, so that tiny values keep their digits.
  static double derivative(double u, double y) {
    const double s = sigmoid(signed_margin(u, y));
    return y == 1 ? -s : s;
  }
  static double curvature(double u, double /*y*/) {
    const double e = std::exp(-std::abs(u));
    return e / ((1 + e) * (1 + e));
  }
  /// Entropy of m = |a|, the distance of q = a + y from y: q log q + (1-q) log(1-q) is the same in m.
  static double conjugate(double a, double y) {
    const double m = mass(a, y);
    if (!(m >= 0 && m <= 1)) return std::numeric_limits<double>::infinity();
    return (m > 0 ? m * std::log(m) : 0) + (m < 1 ? (1 - m) * std::log1p(-m) : 0);
  }
  static double conjugate_derivative(double a, double y) {
    const double m = mass(a, y);
    const double logit = std::log(m) - std::log1p(-m);  // of m; q = m for y = 0 and 1 - m for y = 1
    return y == 1 ? -logit : logit;
  }
  static double project(double a, double y) { return y == 1 ? std::clamp(a, -1.0, 0.0) : std::clamp(a, 0.0, 1.0); }
  static double conjugate_error(double a, double y) {
    const double m = std::clamp(mass(a, y), 0.0, 1.0);
    // Relative errors of a few roundings in each term, and `a` moved by one: its slope there is at most log(m/(1-m)).
    const double slope = (m > 0 ? m * -std::log(m) : 0) + (m < 1 ? -std::log1p(-m) : 37);
    return 8 * core::unit_roundoff * (slope + m);
  }

 private:
  static double signed_margin(double u, double y) { return y == 1 ? -u : u; }
  static double mass(double a, double y) { return y == 1 ? -a : a; }
  static double sigmoid(double z) {
    const double e = std::exp(-std::abs(z));
    return (z >= 0 ? 1 : e) / (1 + e);
  }
};

static_assert(Loss<Logistic>);

}  // namespace ellzero::loss
