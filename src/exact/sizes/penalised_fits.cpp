// Coordinate descent with Newton steps in Gram space, behind penalised_fits.hpp.
#include "exact/sizes/penalised_fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "solve/spd.hpp"

namespace ellzero::exact::sizes {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

PenalisedFits::PenalisedFits(const gram::Quadratic& quadratic, std::span<const Index> features, std::uint64_t in)
    : size_(static_cast<int>(features.size())), constant_(quadratic.constant()) {
  for (const Index j : features) {
    const auto row = quadratic.row(j);
    for (const Index k : features) gram_.push_back(row[k]);
    c_.push_back(quadratic.c(j));
    coordinates_.push_back(quadratic.in(j));
  }
  gradient_.resize(c_.size());
  weight_.assign(c_.size(), 0.0);
  levels_.resize(c_.size() + 2);
  Level& root = levels_[0];
  root.in = in;
  for (int j = 0; j < size_; ++j)
    if ((in >> j & 1) == 0) root.free.push_back(j);
  root.b.assign(c_.size(), 0.0);
  set_members(root);
  bound_coefficients();
  fit(root);
  bound_rounding(quadratic, features);
}

/// |b'(H - exact)b| / 2 + |b'(c - exact)| for the largest coefficients that a best model can have.
void PenalisedFits::bound_rounding(const gram::Quadratic& quadratic, std::span<const Index> features) {
  constexpr double share_of_constant = 1e-11;
  gram::ColumnSize sum = quadratic.target(), largest;
  double lambda1 = infinity;
  for (int j = 0; j < size_; ++j) {
    const gram::ColumnSize& column = quadratic.column(features[j]);
    const penalty::Coordinate& coordinate = coordinates_[j];
    double reach = std::min(reach_[j], std::max(coordinate.reach(1), coordinate.reach(-1)));
    if (coordinate.lambda2() > 0) reach = std::min(reach, std::sqrt(constant_ / coordinate.lambda2()));
    sum.norm += reach * column.norm;
    sum.error += reach * column.error;
    largest = {std::max(largest.norm, column.norm), std::max(largest.error, column.error)};
    lambda1 = std::min(lambda1, coordinate.lambda1());
  }
  if (lambda1 > 0) {  // it is paid by all coefficients together
    sum.norm = std::min(sum.norm, quadratic.target().norm + constant_ / lambda1 * largest.norm);
    sum.error = std::min(sum.error, quadratic.target().error + constant_ / lambda1 * largest.error);
  }
  rounding_ = std::min(constant_, share_of_constant * constant_ + 2 * sum.norm * sum.error);
}

void PenalisedFits::bound_coefficients() {
  double largest = 0;
  const auto diagonal = inverse_diagonal(levels_[0], &largest);
  const double slack = 1 + 1e-6;
  reach_.assign(c_.size(), infinity);
  for (int j = 0; j < size_; ++j) {
    const double lambda1 = coordinates_[j].lambda1();
    if (lambda1 > 0) reach_[j] = slack * constant_ / lambda1;
    if (diagonal.empty()) continue;
    reach_[j] = std::min(reach_[j], slack * 2 * std::sqrt(2 * constant_ * diagonal[j]));
    weight_[j] = 1 / (diagonal[j] * largest);
  }
}

/// (Q^-1)_jj of the members, in their order; empty where Q is singular. Asked for, also the largest eigenvalue of the
/// correlations in Q^-1.
std::vector<double> PenalisedFits::inverse_diagonal(const Level& level, double* largest_correlation) const {
  const auto m = static_cast<Index>(level.members.size());
  if (m == 0) return {};
  Eigen::MatrixXd q(m, m);
  Eigen::VectorXd scale(m);
  for (Index a = 0; a < m; ++a) {
    const int j = level.members[a];
    scale[a] = 1 / std::sqrt(h(j, j) + 2 * coordinates_[j].lambda2());
    for (Index b = 0; b < m; ++b) q(a, b) = h(j, level.members[b]);
    q(a, a) += 2 * coordinates_[j].lambda2();
  }
  q = scale.asDiagonal() * q * scale.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor(q);
  constexpr double singular = 1e-12;
  if (factor.info() != Eigen::Success || !(factor.rcond() > singular)) return {};
  Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(m, m));
  std::vector<double> diagonal;
  for (Index a = 0; a < m; ++a) diagonal.push_back(inverse(a, a) * scale[a] * scale[a] * (1 + 1e-3));
  if (largest_correlation != nullptr) {
    const Eigen::VectorXd root = inverse.diagonal().cwiseSqrt().cwiseInverse();
    inverse = root.asDiagonal() * inverse * root.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(inverse, Eigen::EigenvaluesOnly);
    *largest_correlation = eigen.eigenvalues()[m - 1] * (1 + 1e-3);
  }
  return diagonal;
}

void PenalisedFits::set_members(Level& level) const {
  level.members.clear();
  std::uint64_t all = level.in;
  for (const int j : level.free) all |= std::uint64_t{1} << j;
  for (int j = 0; j < size_; ++j) {
    if (all >> j & 1) level.members.push_back(j);
    else level.b[j] = 0;
  }
}

void PenalisedFits::leading_objectives(int level, std::vector<double>& objectives) const {
  objectives.assign(levels_[level].free.size() + 1, infinity);
  objectives.back() = levels_[level].objective;
}

void PenalisedFits::update_gradient(const Level& level) {
  for (const int i : level.members) {
    double sum = -c_[i];
    for (const int j : level.members) sum += h(i, j) * level.b[j];
    gradient_[i] = sum;
  }
}

/// One descent over the members (5.1); keeps the gradient.
void PenalisedFits::cycle(Level& level) {
  for (const int j : level.members) {
    const double next = coordinates_[j].hard_step(h(j, j), h(j, j) * level.b[j] - gradient_[j]);
    const double by = next - level.b[j];
    if (by == 0) continue;
    level.b[j] = next;
    for (const int i : level.members) gradient_[i] += h(i, j) * by;
  }
}

/// To the best coefficients that keep the signs and stay off the bounds, or as far towards them as that holds.
void PenalisedFits::newton_step(Level& level) {
  std::vector<int> moving;
  for (const int j : level.members)
    if (level.b[j] != 0 && std::abs(level.b[j]) < coordinates_[j].reach(level.b[j])) moving.push_back(j);
  if (moving.empty()) return;
  std::vector<double> q, step;
  for (const int i : moving) {
    const double slope = coordinates_[i].lambda1() * std::copysign(1.0, level.b[i]);
    const double ridge = 2 * coordinates_[i].lambda2();
    for (const int j : moving) q.push_back(h(i, j) + (i == j ? ridge : 0));
    step.push_back(-(gradient_[i] + slope + ridge * level.b[i]));
  }
  if (!solve::solve_spd(q, step)) return;
  double length = 1;
  std::size_t stopped = moving.size();
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const double b = level.b[moving[k]], next = b + step[k];
    const double end = next * b < 0 ? 0 : std::copysign(coordinates_[moving[k]].reach(b), b);
    const bool passes = next * b < 0 || std::abs(next) > std::abs(end);
    if (passes && (end - b) / step[k] < length) {
      length = (end - b) / step[k];
      stopped = k;
    }
  }
  for (std::size_t k = 0; k < moving.size(); ++k) {
    double& b = level.b[moving[k]];
    const double next = b + length * step[k];
    if (k != stopped) b = coordinates_[moving[k]].clamp(next);
    else b = std::abs(next) < 0.5 * std::abs(b) ? 0 : coordinates_[moving[k]].clamp(std::copysign(infinity, b));
  }
  update_gradient(level);
}

/// q_j over the box that holds all best coefficients                                                             (3.1)
double PenalisedFits::conjugate(int j, double tau) const {
  const penalty::Coordinate& coordinate = coordinates_[j];
  const double a = std::abs(tau) - coordinate.lambda1();
  if (a <= 0) return 0;
  double b = std::min(reach_[j], coordinate.reach(-tau));
  if (coordinate.lambda2() > 0) b = std::min(b, a / (2 * coordinate.lambda2()));
  return b == infinity ? infinity : (a - coordinate.lambda2() * b) * b;
}

/// The objective at b and the bound at tau = Hb - c, which gradient_ holds.
void PenalisedFits::judge(Level& level) {
  double curved = 0, linear = 0, penalty = 0, conjugates = 0;
  for (const int j : level.members) {
    const double b = level.b[j];
    curved += b * (gradient_[j] + c_[j]);
    linear += b * c_[j];
    penalty += coordinates_[j].value(b) - coordinates_[j].value(0);
    conjugates += conjugate(j, gradient_[j]);
  }
  level.objective = constant_ + 0.5 * curved - linear + penalty;
  level.bound = std::min(level.objective, constant_ - 0.5 * curved - conjugates);
}

void PenalisedFits::fit(Level& level) {
  constexpr int most_rounds = 100, cycles = 2;
  constexpr double precision = 1e-13;
  update_gradient(level);
  for (int round = 0; round < most_rounds; ++round) {
    for (int k = 0; k < cycles; ++k) cycle(level);
    update_gradient(level);
    judge(level);
    if (level.objective - level.bound <= precision * constant_) return;
    newton_step(level);
    judge(level);
    if (level.objective - level.bound <= precision * constant_) return;
  }
}

void PenalisedFits::measure(const Level& level, std::vector<double>& certain, std::vector<double>& alone) const {
  const auto diagonal = inverse_diagonal(level, nullptr);
  certain.assign(level.free.size(), 0.0);
  alone.assign(level.free.size(), 0.0);
  if (diagonal.empty()) return;
  const double delta = std::max(level.objective - level.bound, 0.0);
  for (std::size_t c = 0; c < level.free.size(); ++c) {
    const int j = level.free[c];
    const auto at = std::lower_bound(level.members.begin(), level.members.end(), j) - level.members.begin();
    certain[c] = std::max(std::abs(level.b[j]) - std::sqrt(2 * delta * diagonal[at]), 0.0);
    alone[c] = 0.5 * certain[c] * certain[c] / diagonal[at];
  }
}

void PenalisedFits::order(int level, std::vector<double>& alone, std::vector<double>& share) {
  Level& at = levels_[level];
  std::vector<double> certain, costs;
  measure(at, certain, costs);
  std::vector<std::size_t> order(at.free.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  const auto free = at.free;
  alone.resize(order.size());
  share.resize(order.size());
  for (std::size_t c = 0; c < order.size(); ++c) {
    at.free[c] = free[order[c]];
    alone[c] = costs[order[c]];
    share[c] = 0.5 * weight_[at.free[c]] * certain[order[c]] * certain[order[c]];
  }
}

void PenalisedFits::drop(int level, int c) {
  const Level& parent = levels_[level];
  Level& child = levels_[level + 1];
  child = parent;
  for (int k = 0; k < c; ++k) child.in |= std::uint64_t{1} << parent.free[k];
  child.free.assign(parent.free.begin() + c + 1, parent.free.end());
  set_members(child);
  fit(child);
}

std::vector<std::pair<double, std::uint64_t>> PenalisedFits::eliminate() {
  std::vector<std::pair<double, std::uint64_t>> models;
  Level level = levels_[0];
  for (;;) {
    std::uint64_t features = level.in;
    for (const int j : level.free) features |= std::uint64_t{1} << j;
    models.emplace_back(level.objective, features);
    if (level.free.empty()) return models;
    std::vector<double> certain, costs;
    measure(level, certain, costs);
    const auto cheapest = std::min_element(costs.begin(), costs.end()) - costs.begin();
    level.free.erase(level.free.begin() + cheapest);
    set_members(level);
    fit(level);
  }
}

std::vector<double> PenalisedFits::coefficients(std::uint64_t features) {
  Level level = levels_[0];
  level.in = features;
  level.free.clear();
  set_members(level);
  fit(level);
  std::vector<double> values;
  for (const int j : level.members) values.push_back(level.b[j]);
  return values;
}

}  // namespace ellzero::exact::sizes
