// Feasible points and their values.
#include "problem/dual.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::problem {
namespace {

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

}  // namespace

DualPoint::DualPoint(std::vector<double> alpha, std::span<const double> weights, double scale)
    : alpha_(std::move(alpha)), scale_(scale) {
  double squares = 0;
  for (std::size_t i = 0; i < alpha_.size(); ++i) squares += alpha_[i] * alpha_[i] / weights[i];
  norm_ = std::sqrt(squares) * (1 + 1e-6);
}

void PsiSum::visit(Index j, double tau) {
  if (!kept.empty()) kept[j] = tau;
  sum.add((*penalty)[j].psi_below(tau, features->dot_error(j) * alpha_norm));
}

void WorstExcess::visit(Index j, double tau) {
  const double error = features->dot_error(j) * alpha_norm;
  for (const double end : {tau - error, tau + error})
    if (end != 0 && (*penalty)[j].needs_scaling(-end))
      ratio = std::max(ratio, std::abs(end) / penalty->lambdas().lambda1);
}

double BoundSum::value() const {
  const double value = sum.value() - error * (1 + 1e-6);
  const double bound = value - 4 * core::unit_roundoff * std::abs(value);
  return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
}

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

template <class L>
double dual_value(const Problem<L>& problem, const DualPoint& point, const core::CompensatedSum& psi) {
  BoundSum total = conjugate_sum(problem, point.alpha());
  total.sum.add(psi);
  return total.value();
}

template <class L>
double dual_value(const Problem<L>& problem, const DualPoint& point, std::span<double> tau) {
  const PsiSum start{&problem.features, &problem.penalty, point.norm(), tau};
  return dual_value(problem, point, problem.features.sweep(point.alpha(), 0, start).sum);
}

template <class L>
double least_bound(const Problem<L>& problem) {
  return problem.penalty.at_zero() * (1 - 2 * core::unit_roundoff);
}

template <class L>
double lower_bound(const Problem<L>& problem, const DualPoint& point) {
  return std::max(dual_value(problem, point), least_bound(problem));
}

template <class L>
DualPoint feasible_point(const Problem<L>& problem, std::vector<double> alpha) {
  if (problem.intercept) make_sum_zero(alpha);
  const double scale = problem.penalty.may_need_scaling() ? scale_into_domain(problem, alpha) : 1;
  return DualPoint(std::move(alpha), problem.weights, scale);
}

template <class L>
DualPoint dual_point(const Problem<L>& problem, std::span<const double> u) {
  return feasible_point(problem, gradient(problem, u));
}

#define INSTANTIATE(L)                                                                                            \
  template BoundSum conjugate_sum(const Problem<L>& problem, std::span<const double> alpha);                      \
  template double dual_value(const Problem<L>& problem, const DualPoint& point, const core::CompensatedSum& psi); \
  template double dual_value(const Problem<L>& problem, const DualPoint& point, std::span<double> tau);           \
  template double least_bound(const Problem<L>& problem);                                                         \
  template double lower_bound(const Problem<L>& problem, const DualPoint& point);                                 \
  template DualPoint feasible_point(const Problem<L>& problem, std::vector<double> alpha);                        \
  template DualPoint dual_point(const Problem<L>& problem, std::span<const double> u);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::problem
