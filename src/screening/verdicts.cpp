// What one dual point proves of each feature.
#include "screening/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::screening {

template <class L>
Verdict verdict(const problem::Problem<L>& problem, Index j, double tau, const Evidence& evidence) {
  if (problem.features.norm(j) == 0) return Verdict::Never;  // a zero column: its coefficient is 0 by convention
  const penalty::Coordinate& coordinate = problem.penalty[j];
  const double beyond = evidence.upper_bound + 1e-12 * std::abs(evidence.upper_bound);
  const double error = problem.features.dot_error(j) * evidence.alpha_norm;
  // The dual value counts Psi_j at its lowest; without feature j it is at least the dual value less that.
  const double psi = coordinate.psi_below(tau, error) - coordinate.value(0);
  const double q_high = std::max(coordinate.conjugate(tau - error), coordinate.conjugate(tau + error));
  const double without = evidence.dual_value - psi;
  if (psi < 0 && without > beyond) return Verdict::Always;                                 // (6.2)
  if (without + coordinate.jump() - q_high * (1 + 1e-12) > beyond) return Verdict::Never;  // (6.1)
  return Verdict::Undecided;
}

template <class L>
std::vector<Verdict> verdicts(const problem::Problem<L>& problem, std::span<const double> tau, double alpha_norm,
                              double dual_value, double upper_bound) {
  std::vector<Verdict> result(tau.size());
  for (Index j = 0; j < problem.features.cols(); ++j)
    result[j] = verdict(problem, j, tau[j], {alpha_norm, dual_value, upper_bound});
  return result;
}

#define INSTANTIATE(L)                                                                                         \
  template Verdict verdict(const problem::Problem<L>& problem, Index j, double tau, const Evidence& evidence); \
  template std::vector<Verdict> verdicts(const problem::Problem<L>& problem, std::span<const double> tau,      \
                                         double alpha_norm, double dual_value, double upper_bound);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::screening
