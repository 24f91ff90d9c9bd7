// P, its gradient and its intercept.
#include "problem/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::problem {

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

template <class L>
std::vector<double> gradient(const Problem<L>& problem, std::span<const double> u) {
  std::vector<double> alpha(u.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    alpha[i] = problem.weights[i] * problem.loss.derivative(u[i], problem.y[i]);
  return alpha;
}

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
  if constexpr (L::quadratic) {
    const Slope slope = slope_at(b);
    return b - slope.value / slope.curvature;  // Newton's step is the answer
  }
  double largest = 0;  // of u: less than its rounding makes no difference
  for (const double ui : u) largest = std::max(largest, std::abs(ui));
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
    if (std::abs(next - b) <= core::unit_roundoff * std::max(4 * std::abs(b), largest)) return next;
    b = next;
  }
  return b;
}

#define INSTANTIATE(L)                                                                                       \
  template std::vector<double> predictor(const Problem<L>& problem, const Coefficients& beta);               \
  template std::vector<double> gradient(const Problem<L>& problem, std::span<const double> u);               \
  template double objective(const Problem<L>& problem, std::span<const double> u, const Coefficients& beta); \
  template double best_intercept(const Problem<L>& problem, std::span<const double> u);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::problem
