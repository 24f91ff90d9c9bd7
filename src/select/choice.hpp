// From the scores of folds to a curve, and from the curve to one model: the best, or the sparsest that is as good.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "ellzero/dataset.hpp"

namespace ellzero::select {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What one fold says about every model.
struct FoldScores {
  double weight = 0;          ///< of the samples that it left out
  std::vector<double> score;  ///< empty where a limit or an interrupt came before its last model
};

struct Curve {
  std::vector<double> mean;
  std::vector<double> standard_error;  ///< unknown with fewer than two folds
};

/// Means over the folds, by weight, and their standard errors (12.7). Repeats make both steadier, but add no samples:
/// the error is that of one repeat, of `folds` folds. Folds that were cut off do not count.
inline Curve curve(std::span<const FoldScores> all, std::size_t models, int folds) {
  std::vector<const FoldScores*> whole;
  double total = 0;
  for (const FoldScores& fold : all)
    if (!fold.score.empty()) {
      whole.push_back(&fold);
      total += fold.weight;
    }
  const double independent = std::min(static_cast<double>(whole.size()), static_cast<double>(folds));
  Curve result{std::vector<double>(models, unknown), std::vector<double>(models, unknown)};
  for (std::size_t m = 0; m < models && !whole.empty(); ++m) {
    double mean = 0, spread = 0;
    for (const FoldScores* fold : whole) mean += fold->weight / total * fold->score[m];
    for (const FoldScores* fold : whole)
      spread += fold->weight / total * (fold->score[m] - mean) * (fold->score[m] - mean);
    result.mean[m] = mean;
    if (independent > 1) result.standard_error[m] = std::sqrt(spread / (independent - 1));  // (12.7)
  }
  return result;
}

/// A model as the rules see it; a small score is good.
struct Candidate {
  double score;
  double standard_error;
  Index nonzeros;
  double lambda0;
};

inline bool sparser(const Candidate& a, const Candidate& b) {
  return a.nonzeros != b.nonzeros ? a.nonzeros < b.nonzeros : a.lambda0 > b.lambda0;
}

/// The smallest score; of equal ones the sparsest, then the one of the larger lambda0, then the first. The last of all
/// where no score is known: the newest model of a path that was interrupted.
inline std::size_t best_of(std::span<const Candidate> models) {
  std::size_t best = models.size();
  for (std::size_t m = 0; m < models.size(); ++m) {
    if (std::isnan(models[m].score)) continue;
    const bool better = best == models.size() || models[m].score < models[best].score ||
                        (models[m].score == models[best].score && sparser(models[m], models[best]));
    if (better) best = m;
  }
  return best < models.size() ? best : models.size() - 1;
}

/// The sparsest within one standard error of the best; of equally sparse ones that of the larger lambda0 (12.8).
inline std::size_t within_one_error(std::span<const Candidate> models, std::size_t best) {
  const double error = models[best].standard_error;
  std::size_t chosen = best;
  for (std::size_t m = 0; m < models.size(); ++m)
    if (models[m].score <= models[best].score + error && sparser(models[m], models[chosen])) chosen = m;  // (12.8)
  return chosen;
}

}  // namespace ellzero::select
