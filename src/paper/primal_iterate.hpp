// The primal side of the published methods: coefficients that take hard steps (5.1) one at a time, u and w l'(u) with
// them.
#pragma once

#include <span>
#include <vector>

#include "paper/active_set.hpp"

namespace ellzero::paper {

template <class L>
class PrimalIterate {
 public:
  explicit PrimalIterate(const problem::Problem<L>& problem)
      : problem_(problem), u_(problem.offset.begin(), problem.offset.end()), alpha_(u_.size()) {}

  [[nodiscard]] double intercept() const { return intercept_; }
  [[nodiscard]] std::span<const double> predictor() const { return u_; }

  /// From a predictor without intercept, which is solved for.
  void start(std::span<const double> u);

  /// One cycle of hard steps over the active features: T of the paper, for columns of any norm. P never rises.  (5.1)
  void hard_steps(ActiveSet<L>& active);

  [[nodiscard]] double objective(const problem::Coefficients& beta) const;

 private:
  void move(const ActiveSet<L>& active, Index column, double by);

  /// The best intercept, and alpha = w l'(u) without the rounding that updates leave.
  void settle();

  void renew();

  const problem::Problem<L>& problem_;
  std::vector<double> u_, alpha_;
  double alpha_sum_ = 0;
  double intercept_ = 0;
};

}  // namespace ellzero::paper
