// What a published method brings back: the best primal point it saw, and what its best dual point proves.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "paper/stopping_rule.hpp"
#include "problem/dual.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::paper {

struct Outcome {
  solve::Incumbent best;
  std::vector<double> tau;  ///< of all features, at the best dual point
  double alpha_norm = 0;    ///< of that dual point
  double dual_value = 0;    ///< D at that dual point
  double lower_bound = 0;   ///< the best valid bound seen
  double price = 0;         ///< lambda0 that dual_value and tau go with: the problem's, unless there is a budget
  Status status = Status::Stationary;
  bool swings = false;  ///< it ended because the gap got no better, not by the paper's rule
  Index iterations = 0;
  Index sweeps = 0;  ///< products with all features that count as one pass
};

/// The best points so far.
class Record {
 public:
  void offer_primal(double objective, problem::Coefficients beta);
  /// `valid` says that the value bounds the whole problem, not only a part of it.
  void offer_dual(double value, std::span<const double> alpha, bool valid);
  [[nodiscard]] double objective() const { return objective_; }
  [[nodiscard]] double gap() const { return objective_ - value_; }
  [[nodiscard]] const problem::Coefficients& beta() const { return beta_; }

  /// Everything that is reported is computed anew from X: P of the best coefficients, D of the best alpha by a sweep.
  template <class L>
  Outcome conclude(const problem::Problem<L>& problem, const StoppingRule& stopping) const;

 private:
  double objective_ = std::numeric_limits<double>::infinity();
  problem::Coefficients beta_;
  double bound_ = -std::numeric_limits<double>::infinity();
  double value_ = bound_;
  std::vector<double> alpha_;
};

}  // namespace ellzero::paper
