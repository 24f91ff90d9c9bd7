// The dual side of the published methods: alpha, its step along a super-gradient, its projection, its link, its bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "paper/in_play.hpp"
#include "problem/dual.hpp"

namespace ellzero::paper {

/// The b for which Proj_F(alpha - b) adds up to 0: F is a product of intervals, so that is the nearest such point.
template <class L>
double balance(const problem::Problem<L>& problem, std::span<const double> alpha) {
  double low = -std::numeric_limits<double>::infinity(), high = -low, b = 0, reach = 1;
  for (int iteration = 0; iteration < 200; ++iteration) {
    double sum = 0, size = 0, moving = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      const double a = loss::weighted_project(problem.loss, problem.weights[i], alpha[i] - b, problem.y[i]);
      sum += a;
      size += std::abs(a);
      moving += std::abs(a - (alpha[i] - b)) <= 1e-12 * std::abs(a) ? 1 : 0;  // not held by an end of its interval
    }
    if (std::abs(sum) <= 1e-14 * size) return b;
    (sum > 0 ? low : high) = b;
    double next = b + sum / moving;
    if (!(next > low && next < high)) {
      next = std::isfinite(low) && std::isfinite(high) ? 0.5 * (low + high) : b + std::copysign(reach, sum);
      reach *= 2;
    }
    if (next == b) return b;
    b = next;
  }
  return b;
}

template <class L>
class DualIterate {
 public:
  /// Starts at alpha = w l'(o), the dual point of no features at all.                                           (3.7)
  explicit DualIterate(const problem::Problem<L>& problem)
      : problem_(problem), point_(problem::dual_point(problem, start(problem))), u_(alpha().size()) {
    const double heaviest = *std::max_element(problem.weights.begin(), problem.weights.end());
    mu_ = problem.loss.mu() / heaviest;
    double steepest_link = 0;
    for (Index j = 0; j < problem.features.cols(); ++j)
      steepest_link = std::max(steepest_link, problem.features.norm(j) * problem.features.norm(j));
    const double lambda2 = problem.penalty.lambdas().lambda2;
    first_step_ = lambda2 > 0 ? steepest_link / (2 * lambda2 * mu_) : 0;
  }

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
  void ascend(double omega) {
    std::vector<double> next(alpha().begin(), alpha().end());
    for (std::size_t i = 0; i < next.size(); ++i) {
      const double slope = problem_.loss.conjugate_derivative(next[i] / problem_.weights[i], problem_.y[i]);
      // At an end of F where l* is infinitely steep, inwards by a tenth of F at most.
      next[i] += std::isfinite(slope) ? omega * (u_[i] - slope)
                                      : -std::copysign(std::min(omega * steepest, 0.1 * problem_.weights[i]), slope);
    }
    const double b0 = problem_.intercept ? balance(problem_, next) : 0;
    for (std::size_t i = 0; i < next.size(); ++i)
      next[i] = loss::weighted_project(problem_.loss, problem_.weights[i], next[i] - b0, problem_.y[i]);
    point_ = problem::feasible_point(problem_, std::move(next));
  }

  /// tau_j = x~_j' alpha for every feature in play. (A centred column needs no correction: alpha adds up to 0.)
  void products(InPlay<L>& play) const {
    for (Member& m : play.members) m.tau = play.matrix().dot(m.column, alpha());
  }

  /// beta <- link(alpha)                                                                                        (3.5)
  void apply_link(InPlay<L>& play) {
    products(play);
    for (Member& m : play.members) m.link = m.penalty->link(m.tau);
    set_predictor(play);
  }

  /// u = o + X~ link
  void set_predictor(const InPlay<L>& play) {
    std::copy(problem_.offset.begin(), problem_.offset.end(), u_.begin());
    for (const Member& m : play.members)
      if (m.link != 0) play.add_column(m.column, m.link, u_);
  }

  /// D(alpha) of the problem that has no other features than those in play: all of D if the others are known to be 0,
  /// or if `others` is their share of it.                                                                       (3.3)
  [[nodiscard]] double bound(const InPlay<L>& play, const core::CompensatedSum& others = {}) const {
    problem::BoundSum total = problem::conjugate_sum(problem_, alpha());
    total.sum.add(problem_.penalty.at_zero() * (1 - 4 * core::unit_roundoff));
    for (const Member& m : play.members)
      total.sum.add(m.penalty->psi_below(m.tau, m.error * point_.norm()) - m.penalty->value(0));
    total.sum.add(others);
    return total.value();
  }

 private:
  /// Stands for the infinite slope: -log of the unit roundoff, the slope one rounding inside F.
  static constexpr double steepest = 37;

  static std::vector<double> start(const problem::Problem<L>& problem) {
    std::vector<double> u(problem.offset.begin(), problem.offset.end());
    if (const double b0 = problem.intercept ? problem::best_intercept(problem, u) : 0; b0 != 0)
      for (double& ui : u) ui += b0;
    return u;
  }

  const problem::Problem<L>& problem_;
  problem::DualPoint point_;
  std::vector<double> u_;
  double mu_ = 1;
  double first_step_ = 0;
};

}  // namespace ellzero::paper
