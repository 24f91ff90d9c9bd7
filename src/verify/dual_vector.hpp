// The dual vector that a point of a proof means: feasible exactly, whatever the point says.
#pragma once

#include <span>
#include <vector>

#include "ellzero/proof.hpp"
#include "verify/sample.hpp"

namespace ellzero::verify {

/// alpha_i = w_i l'(u_i), inside F, with a sum of exactly 0 where there is an intercept.                         (3.7)
std::vector<double> dual_vector(const Sample& sample, const ProofPoint& point);

/// Moves alpha, within F and with its sum at 0, towards |tau_j| <= lambda1 for the features of which q would be
/// infinite otherwise.                                                                                            (3.8)
void approach_domain(const Sample& sample, std::span<const Choice> choices, std::span<double> alpha);

/// X~ b of a point, without intercept and offset.
std::vector<double> fitted(const Sample& sample, const ProofPoint& point);

/// x~_j' v for a v whose sum is known.
double standardised_dot(const Sample& sample, Index j, std::span<const double> v, double sum_v);

}  // namespace ellzero::verify
