// Feasible dual points and the lower bounds they prove, valid in floating point.
//
// 1. dual_point: alpha_i = w_i l'(u_i), moved towards 0 until it is feasible in floating point, not only nearly:
//    sum alpha is exactly 0 where there is an intercept (3.7), and |tau_j| <= lambda1 where q would be infinite (3.8).
//    feasible_point does the same for an alpha that was found otherwise, inside F already.
// 2. lower_bound: D(alpha) (3.3), with everything that rounding may have added taken off again: tau_j is known to
//    +- its rounding error, and Psi_j is taken at its lowest over that interval.
// One sweep for a bound; one or two more for a point that (3.8) applies to.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/rounding.hpp"
#include "problem/problem.hpp"
#include "problem/zero_sum.hpp"

namespace ellzero::problem {

/// alpha with alpha_i in F_i, and sum alpha = 0 exactly where the problem has an intercept. Made by feasible_point
/// only.
class DualPoint {
 public:
  [[nodiscard]] std::span<const double> alpha() const { return alpha_; }
  /// sqrt(sum_i alpha_i^2 / w_i), rounded up: what rounding errors of tau are measured with.
  [[nodiscard]] double norm() const { return norm_; }
  /// What (3.8) has scaled alpha by: tau / scale() is tau before that. 0 if nothing was left.
  [[nodiscard]] double scale() const { return scale_; }

 private:
  DualPoint(std::vector<double> alpha, std::span<const double> weights, double scale);
  template <class L>
  friend DualPoint feasible_point(const Problem<L>& problem, std::vector<double> alpha);

  std::vector<double> alpha_;
  double scale_;
  double norm_;
};

/// Adds up Psi_j, each at the lowest value that tau_j's rounding error leaves possible. Keeps tau where asked to.
struct PsiSum {
  const features::View* features;
  const penalty::Penalty* penalty;
  double alpha_norm;
  std::span<double> kept = {};
  core::CompensatedSum sum = {};

  void visit(Index j, double tau);
  void merge(const PsiSum& next) { sum.add(next.sum); }
};

/// max_j |tau_j| / lambda1 over the sides where q is finite only up to lambda1                                  (3.8)
struct WorstExcess {
  const features::View* features;
  const penalty::Penalty* penalty;
  double alpha_norm;
  double ratio = 0;

  void visit(Index j, double tau);
  void merge(const WorstExcess& next) { ratio = std::max(ratio, next.ratio); }
};

/// A sum of D's terms, and what rounding may have added to it.
struct BoundSum {
  core::CompensatedSum sum = {};
  double error = 0;

  /// The sum less all of that; -inf for what is not a number.
  [[nodiscard]] double value() const;
};

/// The samples' part of D: sum_i alpha_i o_i - l_i*(alpha_i)                                                    (3.3)
template <class L>
BoundSum conjugate_sum(const Problem<L>& problem, std::span<const double> alpha);

/// D(alpha) from the sum of Psi_j, less whatever rounding may have added: a valid lower bound on P over all
/// coefficients and intercepts, -inf at worst.                                                             (3.3), (3.4)
template <class L>
double dual_value(const Problem<L>& problem, const DualPoint& point, const core::CompensatedSum& psi);

/// The same by one sweep, which may keep tau.
template <class L>
double dual_value(const Problem<L>& problem, const DualPoint& point, std::span<double> tau = {});

/// D(0), which is there whatever else is known.
template <class L>
double least_bound(const Problem<L>& problem);

/// The better of D(alpha) and D(0).
template <class L>
double lower_bound(const Problem<L>& problem, const DualPoint& point);

/// The dual point of an alpha whose entries lie in F_i; elsewhere D is -inf and nothing is proved.
template <class L>
DualPoint feasible_point(const Problem<L>& problem, std::vector<double> alpha);

/// A feasible dual point from the predictor u of any primal point                                               (3.7)
template <class L>
DualPoint dual_point(const Problem<L>& problem, std::span<const double> u);

}  // namespace ellzero::problem
