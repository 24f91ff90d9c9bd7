// How good are given coefficients at most and at least: objective, a valid lower bound on the optimum, and the gap.
#pragma once

#include <span>

#include "ellzero/dataset.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

struct Evaluation {
  double objective;    ///< P at the coefficients, with the best intercept where there is one
  double lower_bound;  ///< no coefficients whatever have a smaller P
  double gap;          ///< objective - lower_bound
  double relative_gap;
  double intercept;  ///< in the user's units
};

/// Judges coefficients (in the user's units, one per column) that any program may have found. The bound comes from
/// their residuals, so better coefficients prove more; it is valid for any. lambda0 must be set.
Evaluation evaluate(const Dataset& data, const Settings& settings, std::span<const double> coefficients);

}  // namespace ellzero
