// Cross-validation: what the models of a path predict for samples that were left out when they were fitted.
//
// 1. samples are dealt to folds, classes spread evenly, once for each repeat
// 2. without each fold, the models of the path are fitted at prices that are theirs on fewer samples     (12.1), (12.9)
// 3. each model gives several members: shares of its refit, which has no penalty, mixed into it                (12.12)
// 4. their scores on the fold make a curve with standard errors                                                (12.7)
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"
#include "problem/problem.hpp"
#include "select/choice.hpp"
#include "select/metrics.hpp"

namespace ellzero::select {

/// The samples of a problem, all of them, and problems on some of them.
template <class L>
struct Resampling {
  const problem::Problem<L>& whole;
  const FeatureSource& columns;   ///< of all samples
  std::span<const Index> names;   ///< the row of the data that a sample is; empty where that is its own number
  Index rows = 0;                 ///< of the data
  std::span<const Split> splits;  ///< to leave out, by rows of the data; empty: folds are dealt
  /// Calls work with the problem on these samples only, by one thread; may itself be called by several.
  std::function<void(std::span<const Index> samples, const std::function<void(const problem::Problem<L>&)>& work)> on;
};

struct CrossValidated {
  std::vector<FoldScores> scores;       ///< of all folds of all repeats, for each model its members in turn
  std::vector<std::vector<int>> folds;  ///< of each repeat the fold of a row of the data, -1 for none; dealt ones only
  Index repeats = 0;                    ///< that were begun
  Index fold_count = 0;                 ///< of each
  bool complete = true;                 ///< every fold came to its end
};

/// Throws Error where folds cannot be made: before anything is computed.
template <class L>
void check_folds(const Resampling<L>& samples, const Metric& metric, const Settings& settings);

/// Scores the members of `models`, the path on all samples: `shares` of the refit. Without settings.repeats five times,
/// three for classes, once where samples are many. `stop` is asked by the calling thread only.
template <class L>
CrossValidated cross_validate(const Resampling<L>& samples, std::span<const Result> models,
                              std::span<const double> shares, const Metric& metric, const Settings& settings,
                              int threads, core::Stop& stop);

}  // namespace ellzero::select
