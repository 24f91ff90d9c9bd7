// choose(): one model of a path, chosen by cross-validation or by a criterion.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "ellzero/path.hpp"

namespace ellzero {

struct Selection {
  Path path;                           ///< fitted to all samples
  std::string by;                      ///< Settings::select
  std::string metric;                  ///< of cross-validation: "mse", "mae", "deviance", "accuracy", "auc"; else `by`
  std::string rule;                    ///< Settings::rule; a criterion has no standard error, so it is "min" there
  std::vector<double> score;           ///< one for each model of the path; smaller is better but for accuracy and auc
  std::vector<double> standard_error;  ///< of the score over the folds; empty for criteria
  /// One for each model: the share of its refit, without penalty, that scores best; its score is that with this share.
  std::vector<double> relax;
  Index best = 0;       ///< the model of the best score: rule "min"
  Index one_error = 0;  ///< the sparsest within one standard error of it: rule "1se"
  Index as_good = 0;    ///< the sparsest that paired differences cannot tell from it: rule "auto"
  Index chosen = 0;     ///< by Settings::rule
  /// Of a criterion, where nothing is shrunk: what that of any subset is at least; NaN where nothing is known.
  double least = std::numeric_limits<double>::quiet_NaN();
  bool proved =
      false;  ///< no subset has a better criterion than the chosen model, to within a relative 1e-4 of its misfit
  Status status = Status::Optimal;  ///< Interrupted or TimeLimit where that left something out; else of the path
  Index repeats = 0;                ///< of cross-validation
  Index fold_count = 0;             ///< parts that each repeat leaves out in turn
  /// Of each repeat the fold that leaves a sample out, -1 for weight 0; empty where it was not begun, and for splits of
  /// the user's.
  std::vector<std::vector<int>> folds;
};

/// Walks path() and scores every model as Settings::select says: by what it predicts for samples that were left out, or
/// by a criterion of its fit and size (docs/selection.md). Where neither k, a grid nor Settings::max_nonzeros is given,
/// paths end at 20 features, then 40, then where path() does, as long as the best has more than half as many.
/// Settings::time_limit is for all of it. A limit or an interrupt leaves the folds that were finished, unknown scores
/// are NaN, and without any score the last model is chosen. Throws Error for input that makes no sense.
Selection choose(const Dataset& data, const Settings& settings, Observer* observer = nullptr);

}  // namespace ellzero
