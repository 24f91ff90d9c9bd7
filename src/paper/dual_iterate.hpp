// The dual side of the published methods: alpha, its step along a super-gradient, its projection, its link, its bound.
#pragma once

#include <span>
#include <vector>

#include "paper/active_set.hpp"
#include "problem/dual.hpp"

namespace ellzero::paper {

template <class L>
class DualIterate {
 public:
  /// Starts at alpha = w l'(o), the dual point of no features at all.                                           (3.7)
  explicit DualIterate(const problem::Problem<L>& problem);

  [[nodiscard]] std::span<const double> alpha() const { return point_.alpha(); }
  [[nodiscard]] const problem::DualPoint& point() const { return point_; }
  /// o + X~ beta of the links: what the super-gradient and the primal steps begin with.
  [[nodiscard]] std::span<const double> predictor() const { return u_; }
  /// How strongly concave D is.
  [[nodiscard]] double mu() const { return mu_; }
  /// Where t of 1/(mu t) begins: at most so many times mu does one feature's link bend D. From t = 1 on, a small
  /// lambda2 would throw alpha further away with every step until t gets there.
  [[nodiscard]] double first_step() const { return first_step_; }

  /// alpha <- Proj_F(alpha + omega super-gradient), with the beta of the link                                   (3.6)
  void ascend(double omega);

  /// tau_j = x~_j' alpha for every active feature. (A centred column needs no correction: alpha adds up to 0.)
  void products(ActiveSet<L>& active) const;

  /// beta <- link(alpha)                                                                                        (3.5)
  void apply_link(ActiveSet<L>& active);

  /// u = o + X~ link
  void set_predictor(const ActiveSet<L>& active);

  /// D(alpha) of the problem that has no other features than the active ones: all of D if the others are known to be 0,
  /// or if `others` is their share of it.                                                                       (3.3)
  [[nodiscard]] double bound(const ActiveSet<L>& active, const core::CompensatedSum& others = {}) const;

 private:
  /// Stands for the infinite slope: -log of the unit roundoff, the slope one rounding inside F.
  static constexpr double steepest = 37;

  static std::vector<double> start(const problem::Problem<L>& problem);

  const problem::Problem<L>& problem_;
  problem::DualPoint point_;
  std::vector<double> u_;
  double mu_ = 1;
  double first_step_ = 0;
};

}  // namespace ellzero::paper
