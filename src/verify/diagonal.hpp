// Whether a diagonal may be moved from the loss into lambda2: X'WX - diag(d) must be positive semidefinite.
//
// Z has the columns sqrt(w_i) x~_ij, centred where there is an intercept, so that X'WX = Z'Z.                    (7.3)
// 1. few features, or no more than samples: Z'Z - diag(d) is factorised.
// 2. otherwise: features with d_j < 0 are eliminated first. With K = I + sum_j z_j z_j' / -d_j over them, what is left
//    for the others F is Z_F' K^-1 Z_F - diag(d_F). For any matrix V that is at least V'Z_F + Z_F'V - V'KV - diag(d_F),
//    as (Z_F - KV)' K^-1 (Z_F - KV) is semidefinite; V = K^-1 Z_F, rounded, loses nothing, and no rounding of it
//    matters.
// What is factorised is first lowered by more than all roundings together: if the factorisation succeeds, it is true.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "verify/sample.hpp"
#include "verify/triangle.hpp"

namespace ellzero::verify {

/// Remembers columns and inner products, as proofs have many diagonals over the same few features.
class DiagonalCheck {
 public:
  explicit DiagonalCheck(const Sample& sample) : sample_(sample) {}

  /// True only if X'WX - diag(d) on these features, none of them constant, is positive semidefinite.
  bool leaves_semidefinite(std::span<const Index> features, std::span<const double> d);

  /// The two ways; they differ in cost only.
  bool by_features(std::span<const Index> features, std::span<const double> d);
  [[nodiscard]] bool by_samples(std::span<const Index> features, std::span<const double> d) const;

 private:
  [[nodiscard]] double largest_error(std::span<const Index> features) const;
  std::size_t place_of(Index j);

  const Sample& sample_;
  std::unordered_map<Index, std::size_t> places_;
  std::vector<std::vector<double>> columns_;  // of Z
  Triangle products_;                         // Z'Z
};

}  // namespace ellzero::verify
