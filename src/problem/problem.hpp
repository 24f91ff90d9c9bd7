// Problem = features x loss x penalty, in the units the solver works in; P and the intercept that minimises it.
#pragma once

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
std::vector<double> predictor(const Problem<L>& problem, const Coefficients& beta);

/// alpha_i = w_i l'(u_i): the loss's derivative, and the dual point before it is made feasible                  (3.7)
template <class L>
std::vector<double> gradient(const Problem<L>& problem, std::span<const double> u);

/// P of coefficients whose predictor is u                                                                       (1.1)
template <class L>
double objective(const Problem<L>& problem, std::span<const double> u, const Coefficients& beta);

/// The b that minimises sum_i w_i l(u_i + b): Newton steps, kept inside a bracket of the root of the derivative.
template <class L>
double best_intercept(const Problem<L>& problem, std::span<const double> u);

}  // namespace ellzero::problem
