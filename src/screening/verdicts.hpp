// Safe screening: what one dual point and any upper bound prove about each feature (6.1), (6.2).
#pragma once

#include <span>
#include <vector>

#include "ellzero/status.hpp"
#include "problem/problem.hpp"

namespace ellzero::screening {

/// `tau` and `lower_bound` belong to the same dual point, whose weighted norm is `alpha_norm`; `upper_bound` is the
/// objective of any point. tau_j is taken at the end of its rounding interval that proves less, and comparisons leave
/// the upper bound a margin for its own rounding.
template <class F, class L>
std::vector<Verdict> verdicts(const problem::Problem<F, L>& problem, std::span<const double> tau, double alpha_norm,
                              double lower_bound, double upper_bound) {
  std::vector<Verdict> result(tau.size(), Verdict::Undecided);
  const double beyond = upper_bound + 1e-12 * std::abs(upper_bound);
  for (Index j = 0; j < problem.features.cols(); ++j) {
    const penalty::Coordinate& coordinate = problem.penalty[j];
    if (problem.features.norm(j) == 0) {
      result[j] = Verdict::Never;  // a zero column: its coefficient is 0 by convention
      continue;
    }
    const double error = problem.features.dot_error(j) * alpha_norm;
    // lower_bound counts Psi_j at its lowest; without feature j the bound is at least lower_bound - that.
    const double psi = coordinate.psi_below(tau[j], error) - coordinate.value(0);
    const double q_high = std::max(coordinate.conjugate(tau[j] - error), coordinate.conjugate(tau[j] + error));
    const double without = lower_bound - psi;
    if (without + coordinate.jump() - q_high * (1 + 1e-12) > beyond) result[j] = Verdict::Never;  // (6.1)
    if (psi < 0 && without > beyond) result[j] = Verdict::Always;                                 // (6.2)
  }
  return result;
}

}  // namespace ellzero::screening
