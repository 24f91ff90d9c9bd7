// Safe screening: what one dual point and any upper bound prove about each feature (6.1), (6.2).
#pragma once

#include <span>
#include <vector>

#include "ellzero/status.hpp"
#include "problem/problem.hpp"

namespace ellzero::screening {

/// `tau` and `dual_value` belong to the same dual point, whose weighted norm is `alpha_norm`; `upper_bound` is the
/// objective of any point. tau_j is taken at the end of its rounding interval that proves less, and comparisons leave
/// the upper bound a margin for its own rounding.
template <class F, class L>
std::vector<Verdict> verdicts(const problem::Problem<F, L>& problem, std::span<const double> tau, double alpha_norm,
                              double dual_value, double upper_bound) {
  std::vector<Verdict> result(tau.size(), Verdict::Undecided);
  const double beyond = upper_bound + 1e-12 * std::abs(upper_bound);
  for (Index j = 0; j < problem.features.cols(); ++j) {
    const penalty::Coordinate& coordinate = problem.penalty[j];
    if (problem.features.norm(j) == 0) {
      result[j] = Verdict::Never;  // a zero column: its coefficient is 0 by convention
      continue;
    }
    const double error = problem.features.dot_error(j) * alpha_norm;
    // dual_value counts Psi_j at its lowest; without feature j it is at least dual_value less that.
    const double psi = coordinate.psi_below(tau[j], error) - coordinate.value(0);
    const double q_high = std::max(coordinate.conjugate(tau[j] - error), coordinate.conjugate(tau[j] + error));
    const double without = dual_value - psi;
    if (without + coordinate.jump() - q_high * (1 + 1e-12) > beyond) result[j] = Verdict::Never;  // (6.1)
    if (psi < 0 && without > beyond) result[j] = Verdict::Always;                                 // (6.2)
  }
  return result;
}

}  // namespace ellzero::screening
