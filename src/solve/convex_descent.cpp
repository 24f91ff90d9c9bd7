// The descent of convex_descent.hpp.
#include "solve/convex_descent.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "loss/all.hpp"

namespace ellzero::solve {

template <loss::Loss L>
void ConvexDescent<L>::append(features::ActiveMatrix more, std::span<const Coordinate* const> coordinates) {
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

template <loss::Loss L>
void ConvexDescent<L>::descend(const DescentGoal& goal, int cycles, core::Stop& stop) {
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

template <loss::Loss L>
double ConvexDescent<L>::objective() const {
  core::CompensatedSum sum;
  for (std::size_t i = 0; i < u_.size(); ++i) sum.add(s_.weights[i] * loss_.value(u_[i], s_.y[i]));
  for (std::size_t c = 0; c < beta_.size(); ++c) sum.add(phi_[c]->relaxation(beta_[c]));
  return sum.value();
}

template <loss::Loss L>
void ConvexDescent<L>::refresh_predictor() {
  std::copy(s_.offset.begin(), s_.offset.end(), u_.begin());
  double shift = intercept_;
  for (Index c = 0; c < cols(); ++c) {
    if (beta_[c] == 0) continue;
    active_.axpy(c, beta_[c], u_);
    shift -= beta_[c] * active_.centre(c);
  }
  for (double& ui : u_) ui += shift;
}

template <loss::Loss L>
void ConvexDescent<L>::build_model(double damping) {
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

template <loss::Loss L>
double ConvexDescent<L>::tau(Index c) const {
  return active_.dot(c, alpha_) + shift_ * x_h_[c] - active_.centre(c) * (sum_alpha_ + shift_ * sum_h_);
}

template <loss::Loss L>
void ConvexDescent<L>::move(Index c, double next) {
  const double by = next - beta_[c];
  active_.axpy(c, by, h_, alpha_);
  sum_alpha_ += by * x_h_[c];
  shift_ -= by * active_.centre(c);
  beta_[c] = next;
}

template <loss::Loss L>
void ConvexDescent<L>::move_intercept() {
  if (!s_.intercept) return;
  const double by = -(sum_alpha_ + shift_ * sum_h_) / sum_h_;
  shift_ += by;
  intercept_ += by;
}

template <loss::Loss L>
typename ConvexDescent<L>::Cycle ConvexDescent<L>::cycle(bool nonzero_only) {
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

template <loss::Loss L>
double ConvexDescent<L>::gap_share(Index c, double slope, double next) const {
  const double b = beta_[c], psi = phi_[c]->psi(slope);
  if (std::isfinite(psi)) return std::max(0.0, phi_[c]->relaxation(b) + b * slope - psi);
  return curvature_[c] * std::abs(next - b) * std::max(std::abs(b), std::abs(next));
}

template <loss::Loss L>
std::size_t ConvexDescent<L>::nonzeros() const {
  return beta_.size() - static_cast<std::size_t>(std::count(beta_.begin(), beta_.end(), 0.0));
}

template <loss::Loss L>
double ConvexDescent<L>::descend_model(const DescentGoal& goal, int cycles, core::Stop& stop) {
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

template <loss::Loss L>
void ConvexDescent<L>::choose_free() {
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

template <loss::Loss L>
void ConvexDescent<L>::second_order_step(double gap, core::Stop& stop) {
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

template <loss::Loss L>
bool ConvexDescent<L>::solve_directly() {
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

template <loss::Loss L>
void ConvexDescent<L>::solve_by_products(double gap, core::Stop& stop) {
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

template <loss::Loss L>
std::pair<double, double> ConvexDescent<L>::predict(std::span<const double> v) {
  double by_centres = 0, along_h = 0;
  for (std::size_t c = 0; c < v.size(); ++c) {
    const Index column = second_order_.free[c];
    active_.axpy(column, v[c], work_);
    by_centres -= v[c] * active_.centre(column);
    along_h += v[c] * x_h_[column];
  }
  return {by_centres, s_.intercept ? -along_h / sum_h_ : by_centres};
}

template <loss::Loss L>
bool ConvexDescent<L>::go_and_stay(double t) {
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

template <loss::Loss L>
void ConvexDescent<L>::go_straight(std::span<const double> left, double damping) {
  auto& [free, phi, H, b, d, downhill, step, breaks] = second_order_;
  const double t = second_order_.straight(left, damping, curvature_);
  if (t == 0) return;
  for (std::size_t c = 0; c < free.size(); ++c) move(free[c], phi[c]->clamp(b[c] + t * d[c]));
  move_intercept();
}

template <loss::Loss L>
double ConvexDescent<L>::search_back(double before_intercept, double& gain) {
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

#define INSTANTIATE(L) template class ConvexDescent<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
