// Whether a diagonal may be moved from the loss into lambda2: X'WX - diag(d) must be positive semidefinite.
//
// Z has the columns sqrt(w_i) x~_ij, centred where there is an intercept, so that X'WX = Z'Z.                    (7.3)
// 1. few features, or no more than samples: Z'Z - diag(d) is factorised.
// 2. otherwise: features with d_j < 0 are eliminated first. With K = I + sum_j z_j z_j' / -d_j over them, what is left
//    for the others F is Z_F' K^-1 Z_F - diag(d_F). For any matrix V that is at least V'Z_F + Z_F'V - V'KV - diag(d_F),
//    as (Z_F - KV)' K^-1 (Z_F - KV) is semidefinite; V = K^-1 Z_F, rounded, loses nothing, and no rounding of it
//    matters.
// What is factorised is first lowered by more than all roundings together: if the factorisation succeeds, it is true.
// Memory is a few numbers for each pair of features in the first way, of samples in the second: a record of some bytes
// for each feature must not ask for more than `most_features` or `most_samples` allow.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "verify/sample.hpp"
#include "verify/triangle.hpp"

namespace ellzero::verify {

/// Remembers inner products, as proofs have many diagonals over the same few features.
class DiagonalCheck {
 public:
  explicit DiagonalCheck(const Sample& sample);

  /// What each way may take: as many pairs as the data has entries are fine, and so are those of any proof of prove(),
  /// which moves curvature only between 1500 features, in a reduced problem of 3000, or among 1600 samples.
  [[nodiscard]] std::size_t most_features() const { return most_features_; }
  [[nodiscard]] std::size_t most_samples() const { return most_samples_; }
  /// Whether one of the two ways is affordable.
  [[nodiscard]] bool is_affordable(std::size_t features) const;

  /// True only if X'WX - diag(d) on these features, none of them constant, is positive semidefinite. The last one that
  /// was is known again: a packed proof of few bytes may repeat it many times, each at the cost of a factorisation.
  bool leaves_semidefinite(std::span<const Index> features, std::span<const double> d);

  /// The two ways; they differ in cost only.
  bool by_features(std::span<const Index> features, std::span<const double> d);
  [[nodiscard]] bool by_samples(std::span<const Index> features, std::span<const double> d) const;

 private:
  bool is_accepted(std::span<const Index> features, std::span<const double> d);
  [[nodiscard]] double largest_error(std::span<const Index> features) const;
  std::size_t place_of(Index j);

  const Sample& sample_;
  std::size_t most_features_, most_samples_;
  std::map<Index, std::size_t> places_;  // features are a stranger's: no hash that could be made to collide
  std::vector<Index> remembered_;
  Triangle products_, errors_;  // Z'Z, and how far it may be off
  std::vector<Index> last_features_;
  std::vector<double> last_d_;  // the last that was found to be fine
};

}  // namespace ellzero::verify
