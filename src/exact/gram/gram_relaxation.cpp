// Descent and bound of gram_relaxation.hpp.
#include "exact/gram/gram_relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/compensated_sum.hpp"
#include "core/kernels.hpp"
#include "core/rounding.hpp"
#include "exact/gram/diagonal.hpp"
#include "solve/line_search.hpp"
#include "solve/spd.hpp"

namespace ellzero::exact::gram {
namespace {

int piece(const Coordinate& phi, double b) {
  if (b == 0) return 0;
  const int beyond = std::abs(b) > phi.knee(b) ? 2 : 1;
  return b > 0 ? beyond : -beyond;
}

}  // namespace

GramRelaxation::GramRelaxation(const Quadratic& quadratic, const OpenNode& root)
    : quadratic_(quadratic), q_(choose_near(quadratic, root)), in_(root.in.size()) {}

void GramRelaxation::begin(std::vector<Fix>& fixes, std::vector<double>& b) const {
  fixes.assign(q_.features.size(), Fix::Free);
  std::fill_n(fixes.begin(), in_, Fix::In);
  b = q_.reference_b;
}

problem::Coefficients GramRelaxation::point(std::span<const double> b) const {
  std::vector<std::pair<Index, double>> nonzero;
  for (Index i = 0; i < static_cast<Index>(b.size()); ++i)
    if (b[i] != 0) nonzero.emplace_back(q_.features[i], b[i]);
  std::sort(nonzero.begin(), nonzero.end());
  problem::Coefficients result;
  for (const auto& [j, value] : nonzero) {
    result.support.push_back(j);
    result.values.push_back(value);
  }
  return result;
}

std::vector<Index> GramRelaxation::alive() const {
  auto result = q_.features;
  for (const auto& far : q_.far)
    if (!far.joined) result.push_back(far.feature);
  std::sort(result.begin(), result.end());
  return result;
}

bool GramRelaxation::settle(std::span<const Fix> fixes, std::span<const double> b, double bound, double cutoff,
                            double& discarded) {
  if (!q_.far.empty()) settle_far(b, bound, cutoff, discarded);
  alive_at_root_ = std::count_if(fixes.begin(), fixes.end(), [](Fix fix) { return fix != Fix::Out; });
  room_at_root_ = cutoff - bound;
  return q_.far.empty() && strengthen(fixes, b);
}

/// A fresh look pays when far features may fall to (6.1), or when a better diagonal fits what is left.
bool GramRelaxation::outgrown(std::span<const Fix> fixes, double bound, double cutoff) const {
  if (!q_.far.empty()) {
    const double jump = quadratic_.free(q_.far.front().feature).jump();
    return cutoff - bound < 0.8 * std::min(jump, room_at_root_);
  }
  const auto alive = std::count_if(fixes.begin(), fixes.end(), [](Fix fix) { return fix != Fix::Out; });
  return 5 * alive <= 4 * alive_at_root_;
}

/// Moves curvature to where it makes this relaxation tighter. All features alive are at hand, so H - diag(d) can be
/// checked to be positive semidefinite.                                                                           (7.3)
bool GramRelaxation::strengthen(std::span<const Fix> fixes, std::span<const double> b) {
  constexpr std::size_t largest = 300;
  constexpr double share_of_room = 0.7;
  std::vector<Index> places, gainers;  // alive; those of them that gain, as places among them
  std::vector<double> gain, d;
  for (Index i = 0; i < size(); ++i) {
    if (fixes[i] == Fix::Out) continue;
    const auto share = diagonal_share(q_.free[i], fixes[i] == Fix::In, b[i], tau_[i], share_of_room);
    if (share.gain > 0) {
      gainers.push_back(static_cast<Index>(places.size()));
      gain.push_back(share.gain);
    }
    places.push_back(i);
    d.push_back(q_.d[i] - share.give);
  }
  const std::size_t m = places.size();
  if (gainers.empty() || m > largest) return false;
  const auto matrix = [&] {  // H - diag(d), by what compact has of it
    std::vector<double> M(m * m);
    for (std::size_t col = 0; col < m; ++col) {
      for (std::size_t row = 0; row < m; ++row) M[col * m + row] = q_.row(places[col])[places[row]];
      M[col * m + col] += q_.d[places[col]] - d[col];
    }
    return M;
  };
  std::vector<double> block;
  auto M = matrix();
  if (!inverse_block(M, gainers, block)) return false;
  const auto taken = best_diagonal(block, gain);
  for (std::size_t k = 0; k < taken.size(); ++k) d[gainers[k]] += taken[k] * (1 - 1e-6);
  M = matrix();
  double largest_entry = 0, error = 0;
  for (std::size_t k = 0; k < m; ++k) {
    largest_entry = std::max(largest_entry, std::abs(M[k * m + k]));
    error = std::max(error, q_.sizes[places[k]].norm * q_.sizes[places[k]].error);
  }
  const double margin = 1e-10 * largest_entry + 8 * static_cast<double>(m) * error;  // for what rounding may have done
  for (std::size_t k = 0; k < m; ++k) M[k * m + k] -= margin;
  if (taken.empty() || !is_positive_definite(M, m)) return false;
  for (std::size_t k = 0; k < m; ++k) q_.move_diagonal(places[k], d[k]);
  return true;
}

/// Drops far features that cannot be in, and measures the others from this solution.
void GramRelaxation::settle_far(std::span<const double> b, double bound, double cutoff, double& discarded) {
  const auto [tau, error] = far_tau_at(quadratic_, q_, b);
  std::vector<Compact::Far> kept;
  for (std::size_t k = 0; k < q_.far.size(); ++k) {
    if (q_.far[k].joined) continue;
    const Index j = q_.far[k].feature;
    const Coordinate& phi = quadratic_.free(j);
    const double norm = quadratic_.column(j).norm, most = std::abs(tau[k]) + error * norm;
    const double q = std::max(phi.conjugate(most), phi.conjugate(-most)) * (1 + 1e-12);
    if (const double if_in = bound + phi.jump() - q; if_in >= cutoff)  // (6.1): Psi_j is 0 or below
      discarded = std::min(discarded, if_in);
    else  // |tau_j - tau_ref,j| <= sqrt(H_jj - d_j) |b - b_ref|_{H - diag(d)}
      kept.push_back({(std::min(phi.threshold(1), phi.threshold(-1)) - most) /
                          std::sqrt(norm * norm + std::max(0.0, -quadratic_.d(j))),
                      j});
  }
  q_.set_far(quadratic_, std::move(kept));
  q_.set_reference(b);
}

double GramRelaxation::solve(std::vector<Fix>& fixes, std::vector<double>& b, const NodeGoal& goal) {
  fixes_ = &fixes;
  b_ = &b;
  for (int round = 0;; ++round) {
    fixes.resize(static_cast<std::size_t>(q_.size()), Fix::Free);
    b.resize(fixes.size(), 0.0);
    start();
    descend(goal);
    start();  // exact products again
    wanted_.clear();
    bound_ = prove();
    constexpr int most_rounds = 5;
    if (wanted_.empty() || bound_ >= goal.cutoff || (!goal.in_full && round == most_rounds)) return bound_;
    if (goal.stop != nullptr && goal.stop->now()) return bound_;
    // What far features take from the bound may stay, where more than that is missing anyway.
    if (!goal.in_full && -far_psi_ <= std::max(goal.tolerance, 0.02 * (goal.cutoff - bound_))) return bound_;
    take_wanted();
  }
}

/// The far features that take most from the bound join; each costs a row of products, and the others may turn out not
/// to be needed.
void GramRelaxation::take_wanted() {
  constexpr std::size_t fewest = 64;
  const std::size_t most = std::max(fewest, q_.features.size() / 8);
  std::sort(wanted_.begin(), wanted_.end());
  if (wanted_.size() > most) wanted_.resize(most);
  std::vector<Index> joining;
  for (const auto& [psi, k] : wanted_) joining.push_back(q_.far[k].feature);
  quadratic_.know(joining);
  for (const auto& [psi, k] : wanted_) q_.append(quadratic_, q_.far[k]);
}

void GramRelaxation::start() {
  const Index m = q_.size();
  tau_.assign(static_cast<std::size_t>(m), 0.0);
  for (Index i = 0; i < m; ++i) {
    double& b = (*b_)[i];
    if ((*fixes_)[i] == Fix::Out) b = 0;
    if (b != 0) core::axpy(b, q_.row(i), std::span<double>(tau_));
  }
  for (Index i = 0; i < m; ++i) tau_[i] -= q_.c[i];
}

void GramRelaxation::move(Index i, double next) {
  core::axpy(next - (*b_)[i], q_.row(i), std::span<double>(tau_));
  (*b_)[i] = next;
}

/// Returns whether all coefficients stayed on their pieces.
bool GramRelaxation::cycle(bool nonzero_only) {
  bool settled = true;
  for (Index i = 0; i < q_.size(); ++i) {
    const double b = (*b_)[i], L = q_.row(i)[i];
    if ((*fixes_)[i] == Fix::Out || L <= 0 || (nonzero_only && b == 0)) continue;
    const Coordinate& g = phi(i);
    const double next = g.relaxed_step(L, L * b - tau_[i]);  // (4.3)
    if (next == b) continue;
    settled = settled && piece(g, b) == piece(g, next);
    move(i, next);
  }
  return settled;
}

/// Value and bound of the current point, without allowance for rounding.
void GramRelaxation::evaluate() {
  double quadratic = 0, linear = 0, phis = 0, psis = 0;
  for (Index i = 0; i < q_.size(); ++i) {
    if ((*fixes_)[i] == Fix::Out) continue;
    const double b = (*b_)[i];
    const Coordinate& g = phi(i);
    phis += g.relaxation(b);
    psis += g.psi(tau_[i]);
    quadratic += b * (tau_[i] + q_.c[i]);
    linear += b * q_.c[i];
  }
  value_ = q_.constant + 0.5 * quadratic - linear + phis;
  dual_ = q_.constant - 0.5 * quadratic + psis;
}

void GramRelaxation::descend(const NodeGoal& goal) {
  constexpr int most_steps = 60;
  for (int k = 0; k < most_steps; ++k) {
    bool settled = cycle(false);
    evaluate();
    const double gap = value_ - dual_;
    if (dual_ >= goal.cutoff + 1e-12 * std::abs(goal.cutoff) || gap <= goal.tolerance) return;
    if (!goal.in_full && value_ < goal.cutoff && gap <= 0.02 * (goal.cutoff - dual_)) return;  // it cannot prune
    for (int inner = 0; inner < 3 && !settled; ++inner) settled = cycle(true);
    if (settled || k % 4 == 3) second_order_step();
    if (goal.stop != nullptr && goal.stop->now()) return;
  }
}

/// Solves the linear system of the current pieces; the exact line search stops where leaving them stops paying.
void GramRelaxation::second_order_step() {
  free_.clear();
  for (Index i = 0; i < q_.size(); ++i)
    if (const double b = (*b_)[i]; b != 0 && std::abs(b) < phi(i).reach(b)) free_.push_back(i);
  const std::size_t k = free_.size();
  if (k == 0) return;
  system_.resize(k * k);
  for (auto* v : {&from_, &step_, &downhill_}) v->resize(k);
  phi_.resize(k);
  for (std::size_t col = 0; col < k; ++col) {
    const Index i = free_[col];
    const double* row = q_.row(i);
    for (std::size_t r = col; r < k; ++r) system_[col * k + r] = row[free_[r]];
    phi_[col] = &phi(i);
    from_[col] = (*b_)[i];
    system_[col * k + col] += phi_[col]->relaxation_curvature(from_[col]);
    step_[col] = downhill_[col] = -(tau_[i] + phi_[col]->relaxation_slope(from_[col]));
  }
  if (!solve::solve_spd(system_, step_)) return;
  double slope = 0, curvature = 0;  // of the quadratic alone, along the step
  for (std::size_t c = 0; c < k; ++c) {
    slope -= step_[c] * (downhill_[c] + phi_[c]->relaxation_slope(from_[c]));
    curvature += step_[c] * (downhill_[c] - phi_[c]->relaxation_curvature(from_[c]) * step_[c]);
  }
  const double t = solve::exact_line_search(slope, curvature, phi_, from_, step_, breaks_);
  if (t == 0) return;
  for (std::size_t c = 0; c < k; ++c) move(free_[c], phi_[c]->clamp(from_[c] + t * step_[c]));
}

double GramRelaxation::prove() {
  const Index m = q_.size();
  psi_.assign(static_cast<std::size_t>(m), 0.0);
  psi_in_.assign(static_cast<std::size_t>(m), 0.0);
  double length = q_.target.norm, error = q_.target.error;  // sums of |b_i| times norm_i and error_i
  core::CompensatedSum quadratic;
  double moved = 0;  // b' |diag d| b
  Index used = 0;
  for (Index i = 0; i < m; ++i) {
    const double b = (*b_)[i];
    if (b == 0) continue;
    ++used;
    length += std::abs(b) * q_.sizes[i].norm;
    error += std::abs(b) * q_.sizes[i].error;
    quadratic.add(b * (tau_[i] + q_.c[i]));
    moved += b * b * std::abs(q_.d[i]);
  }
  error = 2 * (error + static_cast<double>(used + 8) * core::unit_roundoff * length);
  core::CompensatedSum sum;
  sum.add(q_.constant);
  sum.add(-0.5 * quadratic.value());
  sum.add(-2 * length * error - 8 * core::unit_roundoff * moved);
  for (Index i = 0; i < m; ++i) {
    if ((*fixes_)[i] == Fix::Out) continue;
    const double tau_error = q_.sizes[i].norm * error + 2 * q_.sizes[i].error * length +
                             8 * core::unit_roundoff * std::abs(q_.d[i] * (*b_)[i]);
    psi_[i] = phi(i).psi_below(tau_[i], tau_error);
    psi_in_[i] = q_.in[i].psi_below(tau_[i], tau_error);
    sum.add(psi_[i]);
  }
  sum.add(far_psi(length, error));
  const double bound = sum.value() - 8 * core::unit_roundoff * (std::abs(sum.value()) + q_.constant);
  return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
}

/// Psi of the features that were left out: 0 while alpha is near enough to where they were looked at (6.3)
double GramRelaxation::far_psi(double length, double error) {
  far_psi_ = 0;
  if (q_.far.empty()) return 0;
  double moved = 0;  // |alpha - alpha_ref|^2 = (b - b_ref)' H (b - b_ref)
  for (Index i = 0; i < q_.size(); ++i) {
    moved += ((*b_)[i] - q_.reference_b[i]) * (tau_[i] - q_.reference_tau[i]);
  }
  const double radius = std::sqrt(std::max(0.0, moved) + 4 * length * error) * (1 + 1e-9);
  const auto near = static_cast<std::size_t>(
      std::partition_point(q_.far.begin(), q_.far.end(), [&](const auto& far) { return far.reach <= radius; }) -
      q_.far.begin());
  q_.far_tau(quadratic_, *b_, near, far_tau_);
  for (std::size_t k = 0; k < near; ++k) {
    if (q_.far[k].joined) continue;
    const Index j = q_.far[k].feature;
    const auto& size = quadratic_.column(j);
    const double psi = quadratic_.free(j).psi_below(far_tau_[k], size.norm * error + 2 * size.error * length);
    far_psi_ += psi;
    if (psi < 0) wanted_.emplace_back(psi, k);
  }
  return far_psi_;
}

}  // namespace ellzero::exact::gram
