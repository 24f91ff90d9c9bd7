// Safe screening: what one dual point and any upper bound prove about each feature (6.1), (6.2).
#pragma once

#include <span>
#include <vector>

#include "ellzero/status.hpp"
#include "problem/problem.hpp"

namespace ellzero::screening {

/// The dual point a verdict rests on, and the objective of any primal point.
struct Evidence {
  double alpha_norm;
  double dual_value;
  double upper_bound;
};

/// The verdict on one feature; tau_j and the evidence's dual value belong to the same dual point. tau_j is taken at the
/// end of its rounding interval that proves less, and comparisons leave the upper bound a margin for its own rounding.
template <class L>
Verdict verdict(const problem::Problem<L>& problem, Index j, double tau, const Evidence& evidence);

/// The verdicts on all features; `tau` and `dual_value` belong to the same dual point, whose weighted norm is
/// `alpha_norm`.
template <class L>
std::vector<Verdict> verdicts(const problem::Problem<L>& problem, std::span<const double> tau, double alpha_norm,
                              double dual_value, double upper_bound);

}  // namespace ellzero::screening
