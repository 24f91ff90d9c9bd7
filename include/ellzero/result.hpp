// What fit() returns: the best solution found, a valid lower bound, and what is proved about it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/status.hpp"

namespace ellzero {

struct Selection;  // selection.hpp

/// A solution in the user's units.
struct Penalised {
  double intercept = 0;
  std::vector<double> coefficients;  ///< one for each feature of the support
};

struct Result {
  Status status = Status::CoordinateOptimal;
  double objective = 0;
  double lower_bound = 0;   ///< no coefficients whatever have a smaller objective
  double gap = 0;           ///< objective - lower_bound
  double relative_gap = 0;  ///< gap / max(|objective|, tiny)

  double intercept = 0;              ///< in the user's units, as the coefficients are
  std::vector<Index> support;        ///< features that are used or always in, ascending
  std::vector<double> coefficients;  ///< one for each of `support`
  double relax = 0;                  ///< share of a refit without penalty in intercept and coefficients
  /// Where there is such a share: the solution itself, which objective, bounds and gap are about.
  std::optional<Penalised> penalised;
  std::vector<Verdict> verdicts;  ///< one for each feature

  std::optional<Index> k;         ///< the budget, where one was asked for
  std::optional<double> lambda0;  ///< unknown with a budget
  double lambda1 = 0;
  double lambda2 = 0;
  std::string loss;
  Index n = 0;  ///< samples of positive weight
  Index p = 0;

  double seconds = 0;  ///< from data in memory to result
  Index sweeps = 0;    ///< passes over all features
  Index iterations = 0;
  Index nodes = 0;
  int threads = 1;
  std::vector<std::string> notes;  ///< what a user should know: constant columns, binding bounds, separation
  std::shared_ptr<const Selection> selection;  ///< how the model was chosen; null where lambda0 or k was given
};

}  // namespace ellzero
