// Problem = features x loss x penalty, in the units the solver works in; P and the intercept that minimises it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/compensated_sum.hpp"
#include "features/view.hpp"
#include "loss/contract.hpp"
#include "penalty/penalty.hpp"

namespace ellzero::problem {

/// The samples as they were given. Where there is an intercept the solver's are shifted by a constant, the targets of
/// squared loss (which have taken the offset in) or the offset of other losses: the same problem, near 0.      (10.8)
struct Given {
  std::span<const double> y = {};
  std::span<const double> offset = {};
  double shift = 0;  ///< what the solver's intercept is short of, rounded
};

template <loss::Loss L>
struct Problem {
  const features::View& features;
  L loss;
  penalty::Penalty penalty;
  std::span<const double> y;
  std::span<const double> weights;  ///< positive
  std::span<const double> offset;
  bool intercept = false;
  Given given = {};
};

/// A primal point: all coefficients outside `support` are 0.
struct Coefficients {
  double intercept = 0;
  std::vector<Index> support = {};
  std::vector<double> values = {};
};

/// u_i = o_i + b0 + x~_i' beta                                                                                  (1.1)
template <class L>
std::vector<double> predictor(const Problem<L>& problem, const Coefficients& beta) {
  std::vector<double> u(problem.offset.begin(), problem.offset.end());
  const auto active = problem.features.gather(beta.support);
  double shift = beta.intercept;
  for (Index c = 0; c < active.cols(); ++c) {
    active.axpy(c, beta.values[c], u);
    shift -= beta.values[c] * active.centre(c);
  }
  for (double& ui : u) ui += shift;
  return u;
}

/// alpha_i = w_i l'(u_i): the loss's derivative, and the dual point before it is made feasible                  (3.7)
template <class L>
std::vector<double> gradient(const Problem<L>& problem, std::span<const double> u) {
  std::vector<double> alpha(u.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    alpha[i] = problem.weights[i] * problem.loss.derivative(u[i], problem.y[i]);
  return alpha;
}

/// P of coefficients whose predictor is u                                                                       (1.1)
template <class L>
double objective(const Problem<L>& problem, std::span<const double> u, const Coefficients& beta) {
  core::CompensatedSum sum;
  for (std::size_t i = 0; i < u.size(); ++i) sum.add(problem.weights[i] * problem.loss.value(u[i], problem.y[i]));
  sum.add(problem.penalty.at_zero());
  for (std::size_t c = 0; c < beta.support.size(); ++c) {
    const auto& coordinate = problem.penalty[beta.support[c]];
    sum.add(coordinate.value(beta.values[c]) - coordinate.value(0));
  }
  return sum.value();
}

/// The b that minimises sum_i w_i l(u_i + b): Newton steps, kept inside a bracket of the root of the derivative.
template <class L>
double best_intercept(const Problem<L>& problem, std::span<const double> u) {
  struct Slope {
    double value = 0, curvature = 0;
  };
  const auto slope_at = [&](double b) {
    core::CompensatedSum value, curvature;
    for (std::size_t i = 0; i < u.size(); ++i) {
      value.add(problem.weights[i] * problem.loss.derivative(u[i] + b, problem.y[i]));
      curvature.add(problem.weights[i] * problem.loss.curvature(u[i] + b, problem.y[i]));
    }
    return Slope{value.value(), curvature.value()};
  };
  double low = -std::numeric_limits<double>::infinity();
  double high = -low;
  double b = 0;
  double reach = 1;  // grows while the root is bracketed on one side only
  for (int iteration = 0; iteration < 2000; ++iteration) {
    const Slope slope = slope_at(b);
    if (slope.value == 0) return b;
    (slope.value > 0 ? high : low) = b;
    double next = b - slope.value / slope.curvature;
    const bool bracketed = std::isfinite(low) && std::isfinite(high);
    if (!(next > low && next < high)) {
      next = bracketed ? low + 0.5 * (high - low) : b - std::copysign(reach, slope.value);
      reach *= 2;
    }
    if (std::abs(next - b) <= 4 * core::unit_roundoff * std::abs(b)) return next;
    b = next;
  }
  return b;
}

}  // namespace ellzero::problem
