// The primal side of the published methods: coefficients that take hard steps (5.1) one at a time, u and w l'(u) with
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "paper/in_play.hpp"

namespace ellzero::paper {

template <class L>
class PrimalIterate {
 public:
  explicit PrimalIterate(const problem::Problem<L>& problem)
      : problem_(problem), u_(problem.offset.begin(), problem.offset.end()), alpha_(u_.size()) {}

  [[nodiscard]] double intercept() const { return intercept_; }
  [[nodiscard]] std::span<const double> predictor() const { return u_; }

  /// From a predictor without intercept, which is solved for.
  void start(std::span<const double> u) {
    u_.assign(u.begin(), u.end());
    intercept_ = 0;
    settle();
  }

  /// One cycle of hard steps over the features in play: T of the paper, for columns of any norm. P never rises.  (5.1)
  void hard_steps(InPlay<L>& play) {
    for (Member& m : play.members) {
      const double tau = play.matrix().dot(m.column, alpha_) - play.matrix().centre(m.column) * alpha_sum_;
      const double b = m.penalty->hard_step(m.lipschitz, m.lipschitz * m.beta - tau);
      if (b == m.beta) continue;
      move(play, m.column, b - m.beta);
      m.beta = b;
    }
    settle();
  }

  [[nodiscard]] double objective(const problem::Coefficients& beta) const {
    return problem::objective(problem_, u_, beta);
  }

 private:
  void move(const InPlay<L>& play, Index column, double by) {
    play.add_column(column, by, u_);
    if (L::quadratic && play.matrix().centre(column) == 0)
      play.matrix().axpy(column, by, problem_.weights, alpha_);  // l' is linear: only the column's rows change
    else renew();
  }

  /// The best intercept, and alpha = w l'(u) without the rounding that updates leave.
  void settle() {
    if (problem_.intercept) {
      const double by = problem::best_intercept(problem_, u_);
      intercept_ += by;
      for (double& ui : u_) ui += by;
    }
    renew();
  }

  void renew() {
    for (std::size_t i = 0; i < u_.size(); ++i)
      alpha_[i] = problem_.weights[i] * problem_.loss.derivative(u_[i], problem_.y[i]);
    alpha_sum_ = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
  }

  const problem::Problem<L>& problem_;
  std::vector<double> u_, alpha_;
  double alpha_sum_ = 0;
  double intercept_ = 0;
};

}  // namespace ellzero::paper
