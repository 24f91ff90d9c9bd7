// What one point of a proof proves at its node: a bound for the node, and one for each way a feature may be decided.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/rounding.hpp"
#include "ellzero/proof.hpp"
#include "verify/exact_sums.hpp"
#include "verify/sample.hpp"

namespace ellzero::verify {

/// A diagonal that was moved from the loss into lambda2.                                                          (7.3)
struct Diagonal {
  std::unordered_map<Index, double> d;  ///< by feature
};

/// What any coefficients of a node cost that must use `in` features.
inline double least_bound(const Sample& sample, Index in) {
  return static_cast<double>(in) * sample.lambda0() * (1 - 2 * core::unit_roundoff);
}

class PointBound {
 public:
  /// `diagonal` may be null; otherwise all features outside it are out.
  PointBound(const Sample& sample, std::span<const Choice> choices, const ProofPoint& point, const Diagonal* diagonal);

  /// No coefficients of the node have a smaller objective.                                                 (7.1), (7.2)
  [[nodiscard]] double node() const { return std::max(dual_, least_); }
  /// The same for those that use the free feature j,                                                       (6.1), (6.4)
  [[nodiscard]] double if_in(Index j) const;
  /// and for those that do not.                                                                            (6.2), (6.4)
  [[nodiscard]] double if_out(Index j) const;

 private:
  double use_dual_vector(std::span<const double> alpha);
  void use_diagonal(const ProofPoint& point, const Diagonal& diagonal);
  void add_up();
  void add_up_budget(BoundedSum& sum, std::vector<double>& free);
  [[nodiscard]] double dual_plus(double more) const;

  const Sample& sample_;
  std::vector<Choice> choices_;
  std::vector<double> q_;                 // by feature; 0 for those that are out
  double base_ = 0;                       // everything but the features' shares
  double dual_ = 0, least_ = 0;           // D at the point, and at 0
  Index left_ = 0;                        // of the budget, after those that are in
  double last_inside_ = 0, outside_ = 0;  // q of the last free feature within the budget, and of the next one
};

}  // namespace ellzero::verify
