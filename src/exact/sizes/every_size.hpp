// The exact best subset of every size at once, squared loss: what (1.3) asks for, for k = |A|, |A| + 1, ...
//
// 1. columns and target go to one least-squares problem: weights, centring and ridge are rows and factors of it
// 2. the search (size_search.hpp) finds, for each size, the models that rounding cannot tell from the best:
//    on triangles where coefficients have no l1 penalty and no bounds,
//    in Gram space where they do
// 3. those models are fitted to X itself, and the best wins; of models alike, the one with fewer, then lower features
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/rounding.hpp"
#include "ellzero/error.hpp"
#include "exact/gram/gram_problem.hpp"
#include "exact/sizes/penalised_fits.hpp"
#include "exact/sizes/size_search.hpp"
#include "exact/sizes/triangles.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::exact::sizes {

/// The best of at most k features, where the search went to its end; otherwise the best found.
struct SizedModel {
  solve::Incumbent model;
  double lower_bound = -std::numeric_limits<double>::infinity();
  bool proved = false;  ///< nothing was left to look at but for rounding
};

struct EverySize {
  std::vector<SizedModel> sizes;  ///< k = |A|, |A| + 1, ..., the largest
  Index nodes = 0;
  std::optional<Status> limit;
  std::vector<Index> doubtful;  ///< features that are dependent but for rounding: nothing is proved where they fit in
};

struct SizeOutcomes {
  SizeOutcome search;
  std::vector<double> rounding;  ///< by size: what it may have done to the best objective
  std::vector<double> tie;       ///< by size: models closer than this were all looked at
  int smallest_doubtful;         ///< nothing is known of models of this size and larger ones,
  std::uint64_t doubtful;        ///< because these columns are dependent but for rounding
};

/// Step 2 for the two kinds of problem; `in` are always-in.
SizeOutcomes search_sizes(const LeastSquares& system, std::uint64_t in, const SizeLimits& limits);
SizeOutcomes search_sizes(PenalisedFits& fits, const SizeLimits& limits);

class EverySizeSearch {
 public:
  static constexpr Index most_features = 64;  ///< that are not constant: a set of them is one word

  explicit EverySizeSearch(const problem::Problem<loss::Squared>& problem);

  /// `worth`: by size from 0, the objective above which no model matters, if any.
  EverySize run(Index largest, Index most_nodes, core::Stop& stop, std::vector<double> worth = {});

 private:
  /// A model must gain more than rounding to be better than another one of no more features.
  static bool better(double objective, std::uint64_t features, double other, std::uint64_t winner);

  [[nodiscard]] solve::Incumbent fit(std::uint64_t chosen);

  const problem::Problem<loss::Squared>& problem_;
  std::vector<Index> features_;  // those that are not constant
  std::uint64_t in_ = 0;         // of those
  Index constant_in_ = 0;
  LeastSquares system_;                     // without l1 penalty and bounds
  std::optional<PenalisedFits> penalised_;  // with
};

}  // namespace ellzero::exact::sizes
