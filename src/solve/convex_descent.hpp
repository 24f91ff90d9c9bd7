// Coordinate descent with second-order steps on a gathered matrix:
//
//   min over b0 and beta of  sum_i w_i l(u_i) + sum_c phi_c(beta_c),   u = o + b0 + X~ beta                      (4.1)
//
// With the coordinates' phi this is the relaxation on the active columns; with coordinates that have no jump it is the
// best fit on a support. Steps, repeated until a cycle lowers the objective by less than the tolerance:
// 1. model the loss by a quadratic at u: alpha = w l'(u), curvatures h = w l''(u) (exact for squared loss, built once);
// 2. cycles of coordinate steps (4.3) on the model, over all columns and then over the nonzero ones;
// 3. when the pieces of phi have settled, one second-order step: solve the linear system of the pieces, search exactly;
//    a large system by conjugate gradients, damped, and with coefficients that reach 0 staying there;
// 4. for other losses, search back along the line from the old point until the true objective falls.
// A cycle costs one product and one update per column that moves; a second-order step one Gram matrix of the nonzeros,
// which squared loss keeps. Memory is set aside when columns are appended: descend() allocates nothing.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/stop.hpp"
#include "features/active.hpp"
#include "loss/contract.hpp"
#include "penalty/coordinate.hpp"
#include "solve/conjugate_gradients.hpp"
#include "solve/gram.hpp"
#include "solve/second_order.hpp"
#include "solve/spd.hpp"

namespace ellzero::solve {

struct SampleView {
  std::span<const double> y;
  std::span<const double> weights;
  std::span<const double> offset;
  bool intercept = false;
};

/// When to end a descent: at a gap of (4.1) below `gap`, or at a cycle that gains no more than `gain`.
struct DescentGoal {
  double gap = 0;
  double gain = 0;
};

template <loss::Loss L>
class ConvexDescent {
 public:
  ConvexDescent(const L& loss, const SampleView& samples, features::ActiveMatrix active)
      : loss_(loss),
        s_(samples),
        active_(std::move(active)),
        u_(s_.offset.begin(), s_.offset.end()),
        alpha_(u_.size()),
        h_(s_.weights.begin(), s_.weights.end()),
        work_(u_.size(), 0.0) {}

  [[nodiscard]] Index cols() const { return static_cast<Index>(beta_.size()); }
  [[nodiscard]] double beta(Index c) const { return beta_[c]; }
  [[nodiscard]] double intercept() const { return intercept_; }
  [[nodiscard]] std::span<const double> predictor() const { return u_; }
  [[nodiscard]] const features::ActiveMatrix& active() const { return active_; }

  /// More columns, with coefficient 0. Coordinates are borrowed.
  void append(features::ActiveMatrix more, std::span<const Coordinate* const> coordinates);

  void set_beta(Index c, double value) { beta_[c] = value; }
  void set_intercept(double value) { intercept_ = value; }

  /// Descends until the goal is met, `cycles` were spent or it is time to stop.
  void descend(const DescentGoal& goal, int cycles, core::Stop& stop);

  /// Objective of (4.1) at the current point.
  [[nodiscard]] double objective() const;

 private:
  void refresh_predictor();

  /// alpha, h and what follows from them for each column; `damping` keeps flat stretches of the loss from a curvature
  /// of 0 (at 1 the model is a majoriser).
  void build_model(double damping);

  /// x~_c' (alpha + shift h)
  [[nodiscard]] double tau(Index c) const;

  void move(Index c, double next);

  void move_intercept();

  struct Cycle {
    double gain = 0;      ///< at least this much was gained
    double gap = 0;       ///< sum over the columns of their share (4.5), each just before its step
    bool settled = true;  ///< no coefficient changed its piece of phi
  };

  Cycle cycle(bool nonzero_only);

  /// phi + b tau - Psi; where Psi is -inf (3.8), what the violation of its domain costs in its place.             (4.5)
  [[nodiscard]] double gap_share(Index c, double slope, double next) const;

  [[nodiscard]] std::size_t nonzeros() const;

  /// Returns the gap at its start.
  double descend_model(const DescentGoal& goal, int cycles, core::Stop& stop);

  /// The nonzero columns that a second-order step may move. Of many, those that their own step would take to 0 are left
  /// to the cycles.
  void choose_free();

  /// Solves the linear system of the current pieces, and goes where that leads as far as it pays.
  void second_order_step(double gap, core::Stop& stop);

  /// sum_i h_i x~_ic
  [[nodiscard]] double h_mean(Index c) const { return x_h_[c] - active_.centre(c) * sum_h_; }

  bool solve_directly();

  /// The system with its diagonal raised by a share, `damping_`, of the columns' squares: until the share of the gap
  /// that is left, about sum |b residual|, is a small part of `gap` or of what it was, or it is time to stop.
  void solve_by_products(double gap, core::Stop& stop);

  /// Adds what a move of the free columns by v does to the stored entries' predictor to work_. Returns what it does to
  /// every row on top: by the centres alone, and with the best intercept.
  std::pair<double, double> predict(std::span<const double> v);

  /// Goes t along d; coefficients stay at 0 once they reach it. False, and nothing has moved, if that does not pay.
  bool go_and_stay(double t);

  /// Along d to where leaving the pieces stops paying; `left` and `damping` say which system d solves.
  void go_straight(std::span<const double> left, double damping);

  /// Walks back from the model's minimiser until the true objective falls; leaves u, beta and b0 there.
  double search_back(double before_intercept, double& gain);

  static constexpr std::size_t most_gram_columns = 1500;

  L loss_;
  SampleView s_;
  features::ActiveMatrix active_;
  std::vector<const Coordinate*> phi_;
  std::vector<double> beta_;
  double intercept_ = 0;
  std::vector<double> u_;

  // The model: alpha + shift h is the derivative of the modelled loss.
  std::vector<double> alpha_, h_;
  double shift_ = 0, sum_alpha_ = 0, sum_h_ = 0;
  std::vector<double> x_h_, curvature_;  // per column: stored entries times h; sum_i h_i x~_ic^2

  GramCache gram_{most_gram_columns};
  SecondOrder second_order_;
  ConjugateGradients conjugate_gradients_;
  double damping_ = 0.01;                // of systems solved by products: less after full steps, more after short ones
  std::vector<double> before_, target_;  // coefficients at both ends of a line
  std::vector<double> work_;             // all 0 between uses
};

}  // namespace ellzero::solve
