// Intervals of doubles that hold the exact result: ends are rounded outwards, and what is not finite is refused.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "ellzero/error.hpp"

namespace ellzero::verify {

inline constexpr double inf = std::numeric_limits<double>::infinity();

/// Not below, not above the number that x is the rounding of: at least one step further out, also for subnormals.
inline double up(double x) { return x + (std::abs(x) * 0x1p-52 + 0x1p-1074); }
inline double down(double x) { return x - (std::abs(x) * 0x1p-52 + 0x1p-1074); }

/// Throws Error(Numerical) rather than let infinity or NaN into a proof.
inline double finite(double x) {
  if (!std::isfinite(x)) throw Error(ErrorCode::Numerical, "a number is beyond what can be computed with");
  return x;
}

struct Interval {
  double lo = 0;
  double hi = 0;

  Interval() = default;
  Interval(double exact) : lo(finite(exact)), hi(exact) {}  // NOLINT(google-explicit-constructor): a number is one
  Interval(double from, double to) : lo(finite(from)), hi(finite(to)) {}

  /// What is within `error` of x, itself rounded.
  static Interval around(double x, double error) { return {down(x - error), up(x + error)}; }
  /// What a function of the C library means that is right to two units in the last place.
  static Interval of_library(double x) { return around(x, 0x1p-51 * std::abs(x)); }
};

inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }
inline Interval operator+(const Interval& a, const Interval& b) { return {down(a.lo + b.lo), up(a.hi + b.hi)}; }
inline Interval operator-(const Interval& a, const Interval& b) { return {down(a.lo - b.hi), up(a.hi - b.lo)}; }
inline Interval operator*(const Interval& a, const Interval& b) {
  const auto [least, largest] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
  return {down(least), up(largest)};
}
/// Refused where b may be 0.
inline Interval operator/(const Interval& a, const Interval& b) {
  if (!(b.lo > 0 || b.hi < 0)) throw Error(ErrorCode::Numerical, "a divisor cannot be told from 0");
  const auto [least, largest] = std::minmax({a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi});
  return {down(least), up(largest)};
}
inline Interval square(const Interval& a) {
  const double least = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, largest = std::max(-a.lo, a.hi);
  return {std::max(0.0, down(least * least)), up(largest * largest)};
}
/// The root of what is known not to be negative.
inline Interval root(const Interval& a) {
  return {std::max(0.0, down(std::sqrt(std::max(0.0, a.lo)))), up(std::sqrt(std::max(0.0, a.hi)))};
}
inline Interval magnitude(const Interval& a) { return {a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, std::max(-a.lo, a.hi)}; }

}  // namespace ellzero::verify
