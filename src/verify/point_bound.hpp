// What one point of a proof proves at its node: a bound for the node, and one for each way a feature may be decided.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "ellzero/proof.hpp"
#include "verify/dual_vector.hpp"
#include "verify/exact_sums.hpp"
#include "verify/sample.hpp"

namespace ellzero::verify {

/// A diagonal that was moved from the loss into lambda2.                                                          (7.3)
struct Diagonal {
  std::map<Index, double> d;  ///< by feature
};

/// What any coefficients of a node cost that must use `in` features.
inline double least_bound(const Sample& sample, Index in) {
  return std::max(0.0, (Interval(static_cast<double>(in)) * sample.lambda0()).lo);
}

/// A full budget leaves the free features out.
std::vector<Choice> within_budget(const Sample& sample, std::span<const Choice> choices);

class PointBound {
 public:
  /// `diagonal` may be null; otherwise all features outside it are out.
  PointBound(const Sample& sample, std::span<const Choice> choices, const ProofPoint& point, const Diagonal* diagonal);

  /// No coefficients of the node have a smaller objective.                                                 (7.1), (7.2)
  [[nodiscard]] double node() const;
  /// The same for those that use the free feature j,                                                       (6.1), (6.4)
  [[nodiscard]] double if_in(Index j) const;
  /// and for those that do not.                                                                            (6.2), (6.4)
  [[nodiscard]] double if_out(Index j) const;

 private:
  /// What a bound is made of; `q` has an upper bound of q_j by feature, 0 for those that are out.
  struct Parts {
    double base = 0;  ///< everything but the features' shares
    std::vector<double> q;
    double scaled = 1;  ///< what alpha was multiplied by so that every q is finite
  };

  [[nodiscard]] Parts by_dual_vector(const DualVector& alpha) const;
  [[nodiscard]] Parts by_diagonal(const ProofPoint& point, const Diagonal& diagonal) const;
  [[nodiscard]] double loss_part(const DualVector& alpha, double scale) const;
  /// What one dual vector proves.
  struct Evaluation {
    std::vector<double> q;
    double dual = 0;                      ///< D there
    double last_inside = 0, outside = 0;  ///< q of the last free feature within the budget, and of the next one

    /// dual without a feature's share, or with another one.
    [[nodiscard]] double dual_plus(double more) const;
  };

  void count_features();
  void add_up(Parts parts);
  void add_up_budget(IntervalSum& sum, std::vector<double>& free, Evaluation& evaluation) const;

  const Sample& sample_;
  std::vector<Choice> choices_;
  std::vector<Evaluation> evaluations_;  // each is true: the best of them counts, for the node and for each decision
  double least_ = 0;                     // D at 0
  Index left_ = 0;                       // of the budget, after those that are in
};

}  // namespace ellzero::verify
