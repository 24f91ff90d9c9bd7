// Hard coordinate steps: which features outside the support would enter by themselves                     (5.1), (5.2)
#pragma once

#include <utility>
#include <vector>

#include "problem/problem.hpp"
#include "screening/lazy_tau.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::solve {

/// By how much the hard step of feature j, now at 0 with slope tau, lowers P: exact for squared loss, and no more than
/// the truth for others. 0 if it stays at 0.                                                                      (5.1)
template <class L>
double hard_gain(const problem::Problem<L>& problem, Index j, double tau);

/// The features outside the support whose hard steps gain, with their gains; none: the incumbent is coordinate-wise
/// optimal (5.2). At most one sweep: a feature that no tau within reach of a known one would let in is passed over.
template <class L>
std::vector<std::pair<double, Index>> entrants(const problem::Problem<L>& problem, const Incumbent& at,
                                               screening::LazyTau& tau);

}  // namespace ellzero::solve
