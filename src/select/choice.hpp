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
  double weight = 0;             ///< of the samples that it left out
  std::vector<double> score;     ///< empty where a limit or an interrupt came before its last model
  std::vector<double> variance;  ///< of the values of the samples, whose mean the score is; NaN where it is none
};

struct Curve {
  std::vector<double> mean;
  std::vector<double> standard_error;  ///< unknown with fewer than two folds
};

/// Means over the folds, by weight, and their standard errors (12.7). Repeats make both steadier, but add no samples:
/// the error is that of one repeat, of `folds` folds. Folds that were cut off, and scores that are unknown, do
/// not count.
inline Curve curve(std::span<const FoldScores> all, std::size_t models, int folds) {
  Curve result{std::vector<double>(models, unknown), std::vector<double>(models, unknown)};
  for (std::size_t m = 0; m < models; ++m) {
    double total = 0, mean = 0, spread = 0;
    int count = 0;
    const auto for_each = [&](auto&& visit) {
      for (const FoldScores& fold : all)
        if (!fold.score.empty() && !std::isnan(fold.score[m])) visit(fold.weight, fold.score[m]);
    };
    for_each([&](double weight, double) { total += weight; });
    for_each([&](double weight, double score) {
      mean += weight / total * score;
      ++count;
    });
    for_each([&](double weight, double score) { spread += weight / total * (score - mean) * (score - mean); });
    const int independent = std::min(count, folds);
    if (count > 0) result.mean[m] = mean;
    if (independent > 1) result.standard_error[m] = std::sqrt(spread / (independent - 1));  // (12.7)
  }
  return result;
}

/// The standard error of the difference of each model's score to that of `reference`: both are measured on the same
/// folds, and what makes a fold hard for both is no difference.                                                (12.10)
inline std::vector<double> paired_errors(std::span<const FoldScores> all, std::size_t models, std::size_t reference,
                                         int folds) {
  std::vector<FoldScores> differences;
  for (const FoldScores& fold : all) {
    auto& difference = differences.emplace_back(FoldScores{fold.weight, fold.score, {}});
    for (double& score : difference.score) score -= fold.score[reference];
  }
  return curve(differences, models, folds).standard_error;
}

/// The standard error of a model's score from sample to sample; unknown where the score is no mean over samples.
inline double sample_error(std::span<const FoldScores> all, std::size_t model, double samples) {
  double total = 0, mean = 0, square = 0;
  for (const FoldScores& fold : all) {
    if (fold.score.empty() || std::isnan(fold.score[model])) continue;
    total += fold.weight;
    mean += fold.weight * fold.score[model];
    square += fold.weight * (fold.variance[model] + fold.score[model] * fold.score[model]);
  }
  mean /= total;
  const double variance = square / total - mean * mean;
  return std::sqrt((variance < 0 ? 0 : variance) / samples);  // unknown remains so
}

/// A model as the rules see it; a small score is good.
struct Candidate {
  double score;
  double standard_error;
  Index nonzeros;
  double lambda0;
  double paired_error = 0;  ///< of the difference to the best
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

/// The sparsest that paired differences cannot tell from the best, and of equally sparse ones that of the better score;
/// but none that is worse by a quarter of `sample_error`, that of the best. That any features are worth having takes
/// more than that some are better than others. (12.11)
inline std::size_t as_good(std::span<const Candidate> models, std::size_t best, double sample_error) {
  constexpr double some = 0.35, any = 1.5, at_most = 0.25;
  const double most = std::isnan(sample_error) ? models[best].standard_error : at_most * sample_error;
  Index fewest = models[best].nonzeros;
  for (const Candidate& model : models) fewest = std::min(fewest, model.nonzeros);
  std::size_t chosen = best;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const double errors = models[m].nonzeros == fewest ? any : some;
    const double allowed = std::min(errors * models[m].paired_error, most);
    if (!(models[m].score - models[best].score <= allowed)) continue;  // (12.11)
    const Candidate &a = models[m], &b = models[chosen];
    if (a.nonzeros < b.nonzeros || (a.nonzeros == b.nonzeros && a.score < b.score)) chosen = m;
  }
  return chosen;
}

/// Whether the evidence for a model is all but that for the best.
inline bool is_evident(std::span<const double> evidence, std::size_t model) {
  constexpr double nearly = 2;
  return std::all_of(evidence.begin(), evidence.end(), [&](double other) { return evidence[model] <= other + nearly; });
}

/// What all samples together make certain, folds of them may still miss: a model with more features than the chosen one
/// is taken where its evidence, a criterion that counts how many such models there are, is overwhelming.       (12.13)
inline std::size_t with_evidence(std::span<const Candidate> models, std::span<const double> evidence,
                                 std::size_t chosen) {
  constexpr double overwhelming = 8;  // odds of 50 to 1
  std::size_t best = chosen;
  for (std::size_t m = 0; m < evidence.size(); ++m)
    if (evidence[m] < evidence[best]) best = m;
  const bool takes =
      evidence[chosen] - evidence[best] > overwhelming && models[best].nonzeros > models[chosen].nonzeros;
  return takes ? best : chosen;
}

}  // namespace ellzero::select
