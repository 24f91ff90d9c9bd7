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
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
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
  DualPoint(std::vector<double> alpha, std::span<const double> weights, double scale)
      : alpha_(std::move(alpha)), scale_(scale) {
    double squares = 0;
    for (std::size_t i = 0; i < alpha_.size(); ++i) squares += alpha_[i] * alpha_[i] / weights[i];
    norm_ = std::sqrt(squares) * (1 + 1e-6);
  }
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

  void visit(Index j, double tau) {
    if (!kept.empty()) kept[j] = tau;
    sum.add((*penalty)[j].psi_below(tau, features->dot_error(j) * alpha_norm));
  }
  void merge(const PsiSum& next) { sum.add(next.sum); }
};

/// max_j |tau_j| / lambda1 over the sides where q is finite only up to lambda1                                  (3.8)
struct WorstExcess {
  const features::View* features;
  const penalty::Penalty* penalty;
  double alpha_norm;
  double ratio = 0;

  void visit(Index j, double tau) {
    const double error = features->dot_error(j) * alpha_norm;
    for (const double end : {tau - error, tau + error})
      if (end != 0 && (*penalty)[j].needs_scaling(-end))
        ratio = std::max(ratio, std::abs(end) / penalty->lambdas().lambda1);
  }
  void merge(const WorstExcess& next) { ratio = std::max(ratio, next.ratio); }
};

/// A sum of D's terms, and what rounding may have added to it.
struct BoundSum {
  core::CompensatedSum sum = {};
  double error = 0;

  /// The sum less all of that; -inf for what is not a number.
  [[nodiscard]] double value() const {
    const double value = sum.value() - error * (1 + 1e-6);
    const double bound = value - 4 * core::unit_roundoff * std::abs(value);
    return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
  }
};

/// The samples' part of D: sum_i alpha_i o_i - l_i*(alpha_i)                                                    (3.3)
template <class L>
BoundSum conjugate_sum(const Problem<L>& problem, std::span<const double> alpha) {
  BoundSum total;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    total.sum.add(alpha[i] * problem.offset[i]);
    total.sum.add(-loss::weighted_conjugate(problem.loss, problem.weights[i], alpha[i], problem.y[i]));
    total.error += loss::weighted_conjugate_error(problem.loss, problem.weights[i], alpha[i], problem.y[i]) +
                   3 * core::unit_roundoff * std::abs(alpha[i] * problem.offset[i]);  // (10.7)
  }
  return total;
}

/// D(alpha) from the sum of Psi_j, less whatever rounding may have added: a valid lower bound on P over all
/// coefficients and intercepts, -inf at worst.                                                             (3.3), (3.4)
template <class L>
double dual_value(const Problem<L>& problem, const DualPoint& point, const core::CompensatedSum& psi) {
  BoundSum total = conjugate_sum(problem, point.alpha());
  total.sum.add(psi);
  return total.value();
}

/// The same by one sweep, which may keep tau.
template <class L>
double dual_value(const Problem<L>& problem, const DualPoint& point, std::span<double> tau = {}) {
  const PsiSum start{&problem.features, &problem.penalty, point.norm(), tau};
  return dual_value(problem, point, problem.features.sweep(point.alpha(), 0, start).sum);
}

/// D(0), which is there whatever else is known.
template <class L>
double least_bound(const Problem<L>& problem) {
  return problem.penalty.at_zero() * (1 - 2 * core::unit_roundoff);
}

/// The better of D(alpha) and D(0).
template <class L>
double lower_bound(const Problem<L>& problem, const DualPoint& point) {
  return std::max(dual_value(problem, point), least_bound(problem));
}

/// Scales alpha until every q_j is finite; sum alpha stays 0. Returns the factor.                                 (3.8)
template <class L>
double scale_into_domain(const Problem<L>& problem, std::vector<double>& alpha) {
  const auto worst = [&] {
    double squares = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) squares += alpha[i] * alpha[i] / problem.weights[i];
    const WorstExcess start{&problem.features, &problem.penalty, std::sqrt(squares) * (1 + 1e-6)};
    return problem.features.sweep(alpha, 0, start).ratio;
  };
  double ratio = worst();
  double scale = 1;
  for (double margin = 1e-12; ratio > 1 && margin < 1e-2; margin *= 1e3) {  // the margin pays for rounding to sum 0
    const double factor = (1 - margin) / ratio;
    scale *= factor;
    for (double& a : alpha) a *= factor;
    if (problem.intercept) make_sum_zero(alpha);
    ratio = worst();
  }
  if (ratio <= 1) return scale;
  std::fill(alpha.begin(), alpha.end(), 0.0);
  return 0;
}

/// The dual point of an alpha whose entries lie in F_i; elsewhere D is -inf and nothing is proved.
template <class L>
DualPoint feasible_point(const Problem<L>& problem, std::vector<double> alpha) {
  if (problem.intercept) make_sum_zero(alpha);
  const double scale = problem.penalty.may_need_scaling() ? scale_into_domain(problem, alpha) : 1;
  return DualPoint(std::move(alpha), problem.weights, scale);
}

/// A feasible dual point from the predictor u of any primal point                                               (3.7)
template <class L>
DualPoint dual_point(const Problem<L>& problem, std::span<const double> u) {
  return feasible_point(problem, gradient(problem, u));
}

}  // namespace ellzero::problem
