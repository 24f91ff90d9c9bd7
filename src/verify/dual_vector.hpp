// The dual vector that a point of a proof means: proposed freely, then admitted only if it is feasible as it stands.
#pragma once

#include <span>
#include <vector>

#include "ellzero/proof.hpp"
#include "ellzero/verify.hpp"
#include "verify/sample.hpp"

namespace ellzero::verify {

/// An alpha that was found to be inside F, number by number, with a sum of exactly 0 where there is an intercept.
class DualVector {
 public:
  /// Throws Error(Numerical) for any other.
  DualVector(const Sample& sample, std::vector<double> alpha);

  [[nodiscard]] std::span<const double> values() const { return values_; }
  /// Not below sqrt(sum_i alpha_i^2 / w_i).
  [[nodiscard]] double length() const { return length_; }

 private:
  std::vector<double> values_;
  double length_;
};

/// Near alpha_i = w_i l'(u_i).                                                                                    (3.7)
DualVector dual_vector(const Sample& sample, const ProofPoint& point);

/// Moved, within F and with its sum at 0, towards |tau_j| <= lambda1 for the features of which q would be infinite
/// otherwise.                                                                                                     (3.8)
DualVector nearer_domain(const Sample& sample, std::span<const Choice> choices, const DualVector& from);

/// What the last digits of a point's coefficients may cost its bound, roughly: its numbers say no more than they have
/// room for, and columns far larger than their spread, or a tiny lambda2, make much of it.
double cost_of_digits(const Sample& sample, const ProofPoint& point);
/// The same of the intercept, which is as far from 0 as the offsets of two classes are.
double cost_of_offset(const Sample& sample);
/// What of a bound a cost may be.
inline constexpr double no_matter = 0.01 * claim_tolerance;

/// Moved, within F and with its sum at 0, to where tau_j is what the point's coefficients ask for: near an optimum of
/// the node that is a better bound, anywhere else it is one all the same. (3.1)
DualVector nearer_optimum(const Sample& sample, std::span<const Choice> choices, const ProofPoint& point,
                          const DualVector& from);

/// Whether q_j is finite only for |tau_j| <= lambda1, where the coefficient would have that sign.                 (3.8)
bool is_unbounded(const Sample& sample, Index j, double sign);

/// sum_j slopes_j (x_ij - shift_j) without intercept and offset, to about one rounding: slopes are b_j scale_j.
std::vector<double> fitted(const Sample& sample, std::span<const Index> support, std::span<const double> slopes);

/// b_j scale_j, rounded.
std::vector<double> slopes_of(const Sample& sample, const ProofPoint& point);

}  // namespace ellzero::verify
