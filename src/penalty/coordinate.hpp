// The penalty of one coefficient: g, its conjugate q, Psi, the link, the relaxation phi and both coordinate steps.
//
//   g(b) = base + jump [b != 0] + lambda1 |b| + lambda2 b^2   on lo <= b <= hi                                   (1.2)
//
// An ordinary feature has base 0 and jump lambda0. An always-in feature pays lambda0 always: base lambda0 and jump 0;
// every formula below then holds without a special case. All are exact for every mix of zero and non-zero lambdas and
// of finite, one-sided and infinite boxes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rounding.hpp"

namespace ellzero::penalty {

struct Lambdas {
  double lambda0 = 0;
  double lambda1 = 0;
  double lambda2 = 0;
};

struct Box {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();
  friend bool operator==(const Box&, const Box&) = default;
};

class Coordinate {
 public:
  explicit Coordinate(const Lambdas& lambdas, const Box& box = {}, bool always_in = false)
      : base_(always_in ? lambdas.lambda0 : 0),
        jump_(always_in ? 0 : lambdas.lambda0),
        lambda1_(lambdas.lambda1),
        lambda2_(lambdas.lambda2),
        down_(side(-box.lo)),
        up_(side(box.hi)) {}

  /// The same penalty with another price of b^2.
  [[nodiscard]] Coordinate with_lambda2(double lambda2) const {
    Coordinate other = *this;
    other.lambda2_ = lambda2;
    other.down_ = other.side(down_.reach);
    other.up_ = other.side(up_.reach);
    return other;
  }

  [[nodiscard]] double jump() const { return jump_; }
  [[nodiscard]] double lambda1() const { return lambda1_; }
  [[nodiscard]] double lambda2() const { return lambda2_; }

  /// g, +inf outside the box                                                                                     (1.2)
  [[nodiscard]] double value(double b) const {
    if (b == 0) return base_;
    return inside(b) ? base_ + jump_ + smooth(b) : infinity;
  }

  /// The nearest point of the box.
  [[nodiscard]] double clamp(double b) const { return std::clamp(b, -down_.reach, up_.reach); }

  /// q(tau) = sup_b -tau b - lambda1 |b| - lambda2 b^2 over the box                                              (3.1)
  [[nodiscard]] double conjugate(double tau) const {
    const double a = excess(tau);
    if (a <= 0) return 0;
    const double b = best(a, towards(-tau));
    return b == infinity ? infinity : (a - lambda2_ * b) * b;
  }

  /// Psi(tau) = min_b tau b + g(b)                                                                               (3.2)
  [[nodiscard]] double psi(double tau) const { return base_ + std::min(0.0, jump_ - conjugate(tau)); }

  /// An upper bound of q over [tau - error, tau + error] that no rounding here can lower: q is convex, so its larger
  /// end serves, raised by more than the roundings that made it; +inf for what is not a number. `error` is to include a
  /// few roundings of tau, as a bound of a dot product's error does.
  [[nodiscard]] double conjugate_above(double tau, double error) const {
    const double q = std::max(conjugate(tau - error), conjugate(tau + error)) * (1 + 16 * core::unit_roundoff);
    return q >= 0 ? q : infinity;
  }

  /// A lower bound of Psi over the same interval, by the same token
  [[nodiscard]] double psi_below(double tau, double error) const {
    return base_ * (1 - 2 * core::unit_roundoff) + std::min(0.0, jump_ - conjugate_above(tau, error));
  }

  /// The minimiser of (3.2); 0 below the threshold                                                               (3.5)
  [[nodiscard]] double link(double tau) const {
    const double a = excess(tau);
    if (a <= 0) return 0;
    const double b = best(a, towards(-tau));
    return b == infinity || (a - lambda2_ * b) * b >= jump_ ? std::copysign(b, -tau) : 0;
  }

  /// phi, the largest convex function below g                                                                    (4.1)
  [[nodiscard]] double relaxation(double b) const {
    if (b == 0) return base_;
    if (!inside(b)) return infinity;
    const Side& s = towards(b);
    return base_ + (std::abs(b) <= s.knee ? (lambda1_ + s.slope) * std::abs(b) : jump_ + smooth(b));
  }

  /// phi' at b != 0 inside the box
  [[nodiscard]] double relaxation_slope(double b) const {
    const Side& s = towards(b);
    return std::copysign(lambda1_ + (std::abs(b) <= s.knee ? s.slope : 2 * lambda2_ * std::abs(b)), b);
  }

  /// phi'' at b != 0: 0 on the linear piece
  [[nodiscard]] double relaxation_curvature(double b) const {
    return std::abs(b) <= towards(b).knee ? 0 : 2 * lambda2_;
  }

  /// The end of the box on the side of `sign`, as a magnitude
  [[nodiscard]] double reach(double sign) const { return towards(sign).reach; }

  /// |tau| up to which a coefficient of that sign stays 0 in the relaxation                                      (4.2)
  [[nodiscard]] double threshold(double sign) const { return lambda1_ + towards(sign).slope; }

  /// k, the end of the linear piece of phi on the side of `sign`                                                 (4.1)
  [[nodiscard]] double knee(double sign) const { return towards(sign).knee; }

  /// argmin_b L b^2/2 - c b + phi(b), L > 0                                                                      (4.3)
  [[nodiscard]] double relaxed_step(double L, double c) const {
    const Side& s = towards(c);
    const double a = excess(c);
    if (a <= s.slope) return 0;
    const double linear = (a - s.slope) / L;
    const double b = linear <= s.knee ? linear : std::max(s.knee, a / (L + 2 * lambda2_));
    return std::copysign(std::min(b, s.reach), c);
  }

  /// argmin_b L b^2/2 - c b + g(b), L > 0; 0 unless something else is strictly better                            (5.1)
  [[nodiscard]] double hard_step(double L, double c) const {
    const double a = excess(c);
    if (a <= 0) return 0;
    const double curvature = L + 2 * lambda2_;
    const double b = std::min(a / curvature, towards(c).reach);
    return (a - 0.5 * curvature * b) * b > jump_ ? std::copysign(b, c) : 0;
  }

  /// Whether q is finite only for |tau| <= lambda1 when the coefficient would take that sign                     (3.8)
  [[nodiscard]] bool needs_scaling(double sign) const { return lambda2_ == 0 && towards(sign).reach == infinity; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// One sign of b: how far it may go (M), where phi stops being linear (k) and its slope there beyond lambda1 (t).
  struct Side {
    double reach;
    double knee;
    double slope;
  };

  [[nodiscard]] Side side(double reach) const {  // (4.1)
    if (jump_ == 0) return {reach, 0, 0};
    const double m = lambda2_ > 0 ? std::sqrt(jump_) / std::sqrt(lambda2_) : infinity;
    const double k = std::min(m, reach);
    if (k == infinity) return {reach, k, 0};
    return {reach, k, k == 0 ? infinity : jump_ / k + lambda2_ * k};
  }

  [[nodiscard]] const Side& towards(double sign) const { return sign > 0 ? up_ : down_; }
  [[nodiscard]] bool inside(double b) const { return std::abs(b) <= towards(b).reach; }
  [[nodiscard]] double smooth(double b) const { return lambda1_ * std::abs(b) + lambda2_ * b * b; }
  [[nodiscard]] double excess(double c) const { return std::abs(c) - lambda1_; }

  /// The b >= 0 that maximises a b - lambda2 b^2 for a > 0.
  [[nodiscard]] double best(double a, const Side& s) const {
    return lambda2_ > 0 ? std::min(a / (2 * lambda2_), s.reach) : s.reach;
  }

  double base_;
  double jump_;
  double lambda1_;
  double lambda2_;
  Side down_;
  Side up_;
};

}  // namespace ellzero::penalty
