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

#include <algorithm>
#include <cmath>
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
  void append(features::ActiveMatrix more, std::span<const Coordinate* const> coordinates) {
    active_.append(std::move(more));
    phi_.insert(phi_.end(), coordinates.begin(), coordinates.end());
    const std::size_t cols = phi_.size();
    for (auto* per_column : {&beta_, &before_, &target_}) per_column->resize(cols, 0.0);
    x_h_.reserve(cols);
    curvature_.reserve(cols);
    gram_.resize(cols);
    second_order_.reserve(cols);
    conjugate_gradients_.reserve(cols > largest_system ? cols : 0);
  }

  void set_beta(Index c, double value) { beta_[c] = value; }
  void set_intercept(double value) { intercept_ = value; }

  /// Descends until the goal is met, `cycles` were spent or it is time to stop.
  void descend(const DescentGoal& goal, int cycles, core::Stop& stop) {
    refresh_predictor();
    if constexpr (L::quadratic) {
      build_model(1);
      descend_model(goal, cycles, stop);
    } else {
      double damping = 1e-4;
      for (int spent = 0; spent < cycles && !stop.now(); spent += 4) {
        build_model(damping);
        before_ = beta_;
        const double before_intercept = intercept_;
        const double gap = descend_model({0.1 * goal.gap, 0.1 * goal.gain}, 8, stop);
        double gain = 0;
        const double t = search_back(before_intercept, gain);
        damping = t < 0.5 ? std::min(1.0, 10 * damping) : std::max(1e-6, 0.1 * damping);
        // The gap was the columns' at the start: they may be content there while the intercept still moves.
        if (gap <= goal.gap && gain <= std::max(goal.gap, goal.gain)) break;
        if (gain <= goal.gain && (t > 0 || damping >= 1)) break;
      }
    }
  }

  /// Objective of (4.1) at the current point.
  [[nodiscard]] double objective() const {
    core::CompensatedSum sum;
    for (std::size_t i = 0; i < u_.size(); ++i) sum.add(s_.weights[i] * loss_.value(u_[i], s_.y[i]));
    for (std::size_t c = 0; c < beta_.size(); ++c) sum.add(phi_[c]->relaxation(beta_[c]));
    return sum.value();
  }

 private:
  void refresh_predictor() {
    std::copy(s_.offset.begin(), s_.offset.end(), u_.begin());
    double shift = intercept_;
    for (Index c = 0; c < cols(); ++c) {
      if (beta_[c] == 0) continue;
      active_.axpy(c, beta_[c], u_);
      shift -= beta_[c] * active_.centre(c);
    }
    for (double& ui : u_) ui += shift;
  }

  /// alpha, h and what follows from them for each column; `damping` keeps flat stretches of the loss from a curvature
  /// of 0 (at 1 the model is a majoriser).
  void build_model(double damping) {
    shift_ = sum_alpha_ = sum_h_ = 0;
    for (std::size_t i = 0; i < u_.size(); ++i) {
      alpha_[i] = s_.weights[i] * loss_.derivative(u_[i], s_.y[i]);
      if constexpr (!L::quadratic)
        h_[i] = s_.weights[i] * std::max(loss_.curvature(u_[i], s_.y[i]), damping / loss_.mu());
      sum_alpha_ += alpha_[i];
      sum_h_ += h_[i];
    }
    if constexpr (!L::quadratic) {
      x_h_.clear();
      curvature_.clear();
      gram_.forget();
    }
    for (Index c = static_cast<Index>(x_h_.size()); c < cols(); ++c) {
      x_h_.push_back(active_.dot(c, h_));
      double square = 0;
      gram_row(active_, c, {&c, 1}, {h_, sum_h_, x_h_}, work_, {&square, 1});
      curvature_.push_back(std::max(0.0, square));
    }
  }

  /// x~_c' (alpha + shift h)
  [[nodiscard]] double tau(Index c) const {
    return active_.dot(c, alpha_) + shift_ * x_h_[c] - active_.centre(c) * (sum_alpha_ + shift_ * sum_h_);
  }

  void move(Index c, double next) {
    const double by = next - beta_[c];
    active_.axpy(c, by, h_, alpha_);
    sum_alpha_ += by * x_h_[c];
    shift_ -= by * active_.centre(c);
    beta_[c] = next;
  }

  void move_intercept() {
    if (!s_.intercept) return;
    const double by = -(sum_alpha_ + shift_ * sum_h_) / sum_h_;
    shift_ += by;
    intercept_ += by;
  }

  struct Cycle {
    double gain = 0;      ///< at least this much was gained
    double gap = 0;       ///< sum over the columns of their share (4.5), each just before its step
    bool settled = true;  ///< no coefficient changed its piece of phi
  };

  Cycle cycle(bool nonzero_only) {
    Cycle result;
    move_intercept();
    for (Index c = 0; c < cols(); ++c) {
      const double b = beta_[c], lipschitz = curvature_[c];
      if (lipschitz == 0 || (nonzero_only && b == 0)) continue;
      const double slope = tau(c);
      const double next = phi_[c]->relaxed_step(lipschitz, lipschitz * b - slope);  // (4.3)
      if (!nonzero_only) result.gap += gap_share(c, slope, next);
      if (next == b) continue;
      result.gain += 0.5 * lipschitz * (next - b) * (next - b);
      result.settled = result.settled && piece(*phi_[c], b) == piece(*phi_[c], next);
      move(c, next);
    }
    move_intercept();
    return result;
  }

  /// phi + b tau - Psi; where Psi is -inf (3.8), what the violation of its domain costs in its place.             (4.5)
  [[nodiscard]] double gap_share(Index c, double slope, double next) const {
    const double b = beta_[c], psi = phi_[c]->psi(slope);
    if (std::isfinite(psi)) return std::max(0.0, phi_[c]->relaxation(b) + b * slope - psi);
    return curvature_[c] * std::abs(next - b) * std::max(std::abs(b), std::abs(next));
  }

  [[nodiscard]] std::size_t nonzeros() const {
    return beta_.size() - static_cast<std::size_t>(std::count(beta_.begin(), beta_.end(), 0.0));
  }

  /// Returns the gap at its start.
  double descend_model(const DescentGoal& goal, int cycles, core::Stop& stop) {
    double gap_before = 0;
    for (int k = 0; k < cycles && (k == 0 || !stop.now()); ++k) {
      Cycle now = cycle(false);
      if (k == 0) gap_before = now.gap;
      if (now.gap <= goal.gap || now.gain <= goal.gain) break;
      for (int inner = 0; inner < 3 && !now.settled; ++inner) now = cycle(true);
      if (now.settled || k % 4 == 3 || nonzeros() > largest_system) second_order_step(goal.gap, stop);
    }
    if constexpr (L::quadratic)
      for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = s_.y[i] + (alpha_[i] + shift_ * h_[i]) / s_.weights[i];
    return gap_before;
  }

  /// The nonzero columns that a second-order step may move. Of many, those that their own step would take to 0 are left
  /// to the cycles.
  void choose_free() {
    auto& free = second_order_.free;
    auto& downhill = second_order_.downhill;
    free.clear();
    for (Index c = 0; c < cols(); ++c)
      if (beta_[c] != 0 && curvature_[c] != 0 && std::abs(beta_[c]) < phi_[c]->reach(beta_[c])) free.push_back(c);
    const bool large = free.size() > largest_system;
    downhill.clear();
    std::erase_if(free, [&](Index c) {
      const double force = -(tau(c) + phi_[c]->relaxation_slope(beta_[c]));
      if (large && (beta_[c] + 2 * force / curvature_[c]) * beta_[c] <= 0) return true;
      downhill.push_back(force);
      return false;
    });
    second_order_.fill(beta_, phi_);
  }

  /// Solves the linear system of the current pieces, and goes where that leads as far as it pays.
  void second_order_step(double gap, core::Stop& stop) {
    choose_free();
    auto& [free, phi, H, b, d, downhill, step, breaks] = second_order_;
    if (free.empty()) return;
    if (free.size() <= largest_system) {
      if (solve_directly()) go_straight({}, 0);
      return;
    }
    const double damping = damping_;
    solve_by_products(gap, stop);
    // Coefficients that reach 0 stay there: with thousands of them some always do, and a straight line would end soon.
    // Where the columns depend on one another the straight line is the better one: what cancels keeps doing so.
    double t = 1;
    while (t > 0.05 && !go_and_stay(t)) t *= 0.25;
    damping_ = t == 1 ? 0.1 * damping_ : std::min(1.0, 4 * damping_);
    if (t <= 0.05) go_straight(conjugate_gradients_.residual(), damping);
  }

  /// sum_i h_i x~_ic
  [[nodiscard]] double h_mean(Index c) const { return x_h_[c] - active_.centre(c) * sum_h_; }

  bool solve_directly() {
    auto& [free, phi, H, b, d, downhill, step, breaks] = second_order_;
    const std::size_t k = free.size();
    gram_.know(active_, free, {h_, sum_h_, x_h_}, work_);
    H.resize(k * k);
    for (std::size_t col = 0; col < k; ++col) {
      const Index c = free[col];
      for (std::size_t row = col; row < k; ++row) {
        H[col * k + row] = gram_(free[row], c);
        if (s_.intercept) H[col * k + row] -= h_mean(free[row]) * h_mean(c) / sum_h_;
      }
      H[col * k + col] += phi[col]->relaxation_curvature(b[col]);
    }
    d = downhill;
    return solve_spd(H, d);
  }

  /// The system with its diagonal raised by a share, `damping_`, of the columns' squares: until the share of the gap
  /// that is left, about sum |b residual|, is a small part of `gap` or of what it was, or it is time to stop.
  void solve_by_products(double gap, core::Stop& stop) {
    auto& free = second_order_.free;
    auto& phi = second_order_.phi;
    auto& b = second_order_.b;
    auto& d = second_order_.d;
    auto& downhill = second_order_.downhill;
    const std::size_t k = free.size();
    const auto diagonal = conjugate_gradients_.diagonal(k);
    for (std::size_t c = 0; c < k; ++c)
      diagonal[c] = (1 + damping_) * curvature_[free[c]] + phi[c]->relaxation_curvature(b[c]);
    const auto multiply = [&](std::span<const double> v, std::span<double> out) {
      const double shift = predict(v).second;
      double sum = 0;
      for (std::size_t i = 0; i < work_.size(); ++i) sum += work_[i] = h_[i] * (work_[i] + shift);
      for (std::size_t c = 0; c < k; ++c) {
        const double own = phi[c]->relaxation_curvature(b[c]) + damping_ * curvature_[free[c]];
        out[c] = active_.dot(free[c], work_) - active_.centre(free[c]) * sum + own * v[c];
      }
      std::fill(work_.begin(), work_.end(), 0.0);
    };
    const double enough = 0.03 * std::max(gap, second_order_.gap_share(downhill));
    constexpr int most_products = 300;
    conjugate_gradients_.solve(downhill, d, most_products, multiply, [&](std::span<const double> residual) {
      return second_order_.gap_share(residual) <= enough || stop.now();
    });
  }

  /// Adds what a move of the free columns by v does to the stored entries' predictor to work_. Returns what it does to
  /// every row on top: by the centres alone, and with the best intercept.
  std::pair<double, double> predict(std::span<const double> v) {
    double by_centres = 0, along_h = 0;
    for (std::size_t c = 0; c < v.size(); ++c) {
      const Index column = second_order_.free[c];
      active_.axpy(column, v[c], work_);
      by_centres -= v[c] * active_.centre(column);
      along_h += v[c] * x_h_[column];
    }
    return {by_centres, s_.intercept ? -along_h / sum_h_ : by_centres};
  }

  /// Goes t along d; coefficients stay at 0 once they reach it. False, and nothing has moved, if that does not pay.
  bool go_and_stay(double t) {
    auto& [free, phi, H, b, d, downhill, step, breaks] = second_order_;
    double change = second_order_.bend(t);
    const double shift = predict(step).second;
    for (std::size_t i = 0; i < work_.size(); ++i) change += 0.5 * h_[i] * (work_[i] + shift) * (work_[i] + shift);
    std::fill(work_.begin(), work_.end(), 0.0);
    if (!(change < 0)) return false;
    for (std::size_t c = 0; c < free.size(); ++c) move(free[c], b[c] + step[c]);
    move_intercept();
    return true;
  }

  /// Along d to where leaving the pieces stops paying; `left` and `damping` say which system d solves.
  void go_straight(std::span<const double> left, double damping) {
    auto& [free, phi, H, b, d, downhill, step, breaks] = second_order_;
    const double t = second_order_.straight(left, damping, curvature_);
    if (t == 0) return;
    for (std::size_t c = 0; c < free.size(); ++c) move(free[c], phi[c]->clamp(b[c] + t * d[c]));
    move_intercept();
  }

  /// Walks back from the model's minimiser until the true objective falls; leaves u, beta and b0 there.
  double search_back(double before_intercept, double& gain) {
    std::fill(work_.begin(), work_.end(), 0.0);
    double shift = intercept_ - before_intercept;
    for (Index c = 0; c < cols(); ++c) {
      if (beta_[c] == before_[c]) continue;
      active_.axpy(c, beta_[c] - before_[c], work_);
      shift -= (beta_[c] - before_[c]) * active_.centre(c);
    }
    for (double& w : work_) w += shift;
    target_ = beta_;
    const double target_intercept = intercept_;
    // The objective along the line, against its value at t = 0, term by term: no cancellation of large sums.
    const auto change = [&](double t) {
      core::CompensatedSum sum;
      for (std::size_t i = 0; i < u_.size(); ++i)
        sum.add(s_.weights[i] * (loss_.value(u_[i] + t * work_[i], s_.y[i]) - loss_.value(u_[i], s_.y[i])));
      for (std::size_t c = 0; c < before_.size(); ++c)
        if (target_[c] != before_[c])
          sum.add(phi_[c]->relaxation(before_[c] + t * (target_[c] - before_[c])) - phi_[c]->relaxation(before_[c]));
      return sum.value();
    };
    double t = 1;
    while (t > 1e-6 && !(change(t) <= 0)) t *= 0.5;
    if (t <= 1e-6) t = 0;
    gain = t > 0 ? -change(t) : 0;
    for (std::size_t c = 0; c < before_.size(); ++c)
      beta_[c] = t == 1 ? target_[c] : before_[c] + t * (target_[c] - before_[c]);
    intercept_ = before_intercept + t * (target_intercept - before_intercept);
    for (std::size_t i = 0; i < u_.size(); ++i) u_[i] += t * work_[i];
    std::fill(work_.begin(), work_.end(), 0.0);
    return t;
  }

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
