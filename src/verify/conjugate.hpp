// An upper bound of q_j, the conjugate of what one coefficient costs.                                             (3.1)
#pragma once

#include <algorithm>
#include <cmath>

#include "verify/sample.hpp"

namespace ellzero::verify {

/// sup over 0 <= b <= reach of a b - lambda2 b^2: it rises with a and reach and falls with lambda2, so that bounds of
/// the right side serve. Infinite where nothing holds b.
inline double best_gain(double a, double reach, double lambda2) {
  if (a <= 0 || reach == 0) return 0;
  // Where the end of the box decides for certain; the parabola's top is an upper bound everywhere else.
  if (std::isfinite(reach) && a >= (Interval(2) * lambda2 * reach).hi)
    return std::max(0.0, (Interval(reach) * (Interval(a) - Interval(lambda2) * reach)).hi);
  if (!(lambda2 > 0)) return inf;
  const double top = up(up(a * a) / down(4 * lambda2));
  return std::isfinite(top) && down(4 * lambda2) > 0 ? top : inf;
}

/// q_j at its largest for tau within an interval, with half of d added to lambda2: half of the smallest number is none,
/// so that d itself says whether there is anything to add.                                                (3.1), (7.3)
inline double conjugate_above(const Sample& sample, Index j, const Interval& tau, double d = 0) {
  const Interval sum = Interval(sample.lambda2()) + Interval(0.5) * d;
  const double lambda2 = d == 0 ? sample.lambda2() : std::max(0.0, sum.lo);
  const auto reach = [&](double end) {  // in the solver's units
    return std::isinf(end) ? inf : (Interval(std::abs(end)) / sample.scale(j)).hi;
  };
  double q = 0;
  if (-tau.lo > sample.lambda1())
    q = best_gain((Interval(-tau.lo) - sample.lambda1()).hi, reach(sample.upper(j)), lambda2);
  if (tau.hi > sample.lambda1())
    q = std::max(q, best_gain((Interval(tau.hi) - sample.lambda1()).hi, reach(sample.lower(j)), lambda2));
  return q;
}

}  // namespace ellzero::verify
