// Losses and their conjugates as the checker knows them: written out once more, in intervals.
#pragma once

#include <algorithm>
#include <cmath>
#include <variant>

#include "loss/all.hpp"
#include "verify/interval.hpp"

namespace ellzero::verify {

/// log(1 + e^z), which rises with z
inline Interval log_one_plus_exp(const Interval& z) {
  const auto at = [](double x) {
    // e^-|x| right to two units, its logarithm again: four units of a number that is not above the sum
    const double tail = std::log1p(std::exp(-std::abs(x)));
    return Interval(std::max(x, 0.0)) + Interval::around(tail, 0x1p-50 * tail + 0x1p-1060);
  };
  return {std::max(0.0, at(z.lo).lo), at(z.hi).hi};
}

/// The smoothed hinge of what is missing of the margin, with which it rises
inline Interval hinge(const Interval& missing, double width) {
  const auto at = [&](double m) {
    if (m <= 0) return Interval(0);
    return m >= width ? Interval(m) - Interval(0.5) * width : Interval(0.5) * square(m) / width;
  };
  return {std::max(0.0, at(missing.lo).lo), at(missing.hi).hi};
}

/// l of a sample, from u - y for squared loss, u for logistic loss, and 1 - y u for the hinge.
inline Interval loss_value(const loss::AnyLoss& loss, const Interval& at, double y) {
  if (std::holds_alternative<loss::Squared>(loss)) return Interval(0.5) * square(at);
  if (std::holds_alternative<loss::Logistic>(loss)) return log_one_plus_exp(y == 1 ? -at : at);
  return hinge(at, std::get<loss::SmoothedHinge>(loss).width);
}

/// m = |alpha_i| / w_i is the distance from 0 within F: l* of two classes depends on nothing else, is convex, and so is
/// largest at an end of an interval.                                                                     (section 2)
inline double conjugate_above(const loss::AnyLoss& loss, const Interval& m) {
  const auto entropy = [](double x) {
    const Interval one = x > 0 ? Interval(x) * Interval::of_library(std::log(x)) : Interval(0);
    const Interval other = x < 1 ? (Interval(1) - x) * Interval::of_library(std::log1p(-x)) : Interval(0);
    return (one + other).hi;
  };
  const auto parabola = [&](double x) {
    const double width = std::get<loss::SmoothedHinge>(loss).width;
    return (Interval(0.5) * width * square(x) - Interval(x)).hi;
  };
  const auto at = [&](double x) { return std::holds_alternative<loss::Logistic>(loss) ? entropy(x) : parabola(x); };
  return std::max(at(std::clamp(m.lo, 0.0, 1.0)), at(std::clamp(m.hi, 0.0, 1.0)));
}

/// Whether alpha of a sample of weight w is in its domain, exactly as it stands.
inline bool is_in_domain(const loss::AnyLoss& loss, double alpha, double y, double w) {
  if (std::holds_alternative<loss::Squared>(loss)) return std::isfinite(alpha);
  const double m = y == 1 ? -alpha : alpha;
  return m >= 0 && m <= w;
}

}  // namespace ellzero::verify
