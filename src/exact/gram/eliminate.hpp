// Features that are in for certain leave the quadratic: minimising over their coefficients is a Schur complement.
//
//   min over b_E of b'Hb/2 - c'b + sum_E (lambda0 + lambda1 s_j b_j + lambda2 b_j^2),   A = H_EE + 2 lambda2 I
//     = b_R' (H_RR - H_RE A^-1 H_ER) b_R / 2 - (c_R - H_RE A^-1 g)' b_R - g'A^-1 g / 2 + lambda0 |E|,
//   g = c_E - lambda1 s
//
// s_j b_j <= |b_j| for any sign s, so bounds stay valid whichever signs are right; with the optimum's they are exact.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exact/gram/quadratic.hpp"
#include "problem/problem.hpp"

namespace ellzero::exact::gram {

struct Elimination {
  std::vector<Index> in;  ///< to be eliminated; none of them has bounds
  std::vector<double> signs;
  std::vector<Index> rest;  ///< features of the reduced problem: its feature k is rest[k]
  // What it takes to go back: the coefficients that were eliminated are A^-1 (g - H_ER b_R).
  std::vector<double> ridge = {};  ///< 2 lambda2, for each of `in`
  std::vector<double> back = {};   ///< A^-1 (H_ER g), column by column; only if asked for

  /// Coefficients of the whole problem from those of the reduced one.
  [[nodiscard]] problem::Coefficients whole(const problem::Coefficients& reduced) const;
  /// A diagonal of the reduced problem as one of the whole, whose Schur complement it is: nearly all ridge is given, so
  /// that what is left of it, with tau_j at its lambda1 to the last digits, costs nothing.                       (7.3)
  void widen(std::vector<Index>& features, std::vector<double>& d) const;
};

/// Null if A is not clearly positive definite. `objective` is that of any solution: it limits how large coefficients
/// can be, and so how much rounding can matter. `for_record`: fills in what it takes to go back.
std::unique_ptr<Quadratic> eliminate(const Quadratic& quadratic, Elimination& elimination, double objective,
                                     double most_allowance, bool for_record);

}  // namespace ellzero::exact::gram
