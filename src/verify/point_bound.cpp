// Bounds of a node from one dual point, as section 7 of docs/math.md has them.
//
// The point's dual vector is taken as it is, digit for digit; what is rounded is what is made of it. Sums keep all
// digits and count what their terms may be off by, tau_j is known to +- its error and q_j is taken at the larger end,
// so that no bound here is above the exact one.
#include "verify/point_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/rounding.hpp"
#include "verify/dual_vector.hpp"
#include "verify/exact_sums.hpp"

namespace ellzero::verify {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double u = core::unit_roundoff;

/// The weighted mean of values where there is an intercept, else 0.
double centre_of(const Sample& sample, std::span<const double> values) {
  return sample.settings().intercept ? inner_product(sample.weights(), values) / total(sample.weights()) : 0;
}

/// sqrt(sum_i w_i v_i^2), not below the exact one.
double weighted_norm(const Sample& sample, std::span<const double> v) {
  double squares = 0;
  for (std::size_t i = 0; i < v.size(); ++i) squares += sample.weights()[i] * v[i] * v[i];
  return std::sqrt(squares) * (1 + 1e-6);
}

/// s sum_i alpha_i (o_i - y_i) - s^2 sum_i alpha_i^2 / (2 w_i): scaling comes last, as it is not exact (3.3)
double loss_part(const loss::Squared& /*loss*/, const Sample& sample, std::span<const double> alpha, double s) {
  const auto w = sample.weights(), y = sample.y(), o = sample.offset();
  BoundedSum linear, squares;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    linear.add_product(alpha[i], o[i]);
    linear.add_product(-alpha[i], y[i]);
    const double term = 0.5 * alpha[i] / w[i] * alpha[i];
    squares.add(term, 4 * u * term);
  }
  BoundedSum sum;
  sum.add(s * linear.value(), s * linear.error() + 2 * u * std::abs(s * linear.value()));
  sum.add(-s * s * squares.value(), s * s * (squares.error() + 4 * u * squares.value()));
  return sum.below();
}

/// sum_i s alpha_i o_i - w_i l*(s alpha_i / w_i) (3.3)
template <class L>
double loss_part(const L& loss, const Sample& sample, std::span<const double> alpha, double s) {
  const auto w = sample.weights(), y = sample.y(), o = sample.offset();
  BoundedSum sum;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    const double a = s * alpha[i], at = loss.project(a / w[i], y[i]), term = -w[i] * loss.conjugate(at, y[i]);
    sum.add(term, w[i] * loss.conjugate_error(at, y[i]) + 2 * u * std::abs(term));
    sum.add_product(a, o[i], 2 * u * std::abs(a * o[i]));
  }
  return sum.below();
}

/// A full budget leaves the free features out.
std::vector<Choice> within_budget(const Sample& sample, std::span<const Choice> choices) {
  std::vector<Choice> result(choices.begin(), choices.end());
  const auto k = sample.settings().k;
  if (k && std::count(result.begin(), result.end(), Choice::In) >= *k)
    std::replace(result.begin(), result.end(), Choice::Free, Choice::Out);
  return result;
}

}  // namespace

PointBound::PointBound(const Sample& sample, std::span<const Choice> choices, const ProofPoint& point,
                       const Diagonal* diagonal)
    : sample_(sample), choices_(within_budget(sample, choices)), q_(choices.size(), 0.0) {
  if (diagonal != nullptr) {
    use_diagonal(point, *diagonal);
    add_up();
    return;
  }
  auto alpha = dual_vector(sample_, point);
  const double worst = use_dual_vector(alpha);
  add_up();
  // Coefficients say only to their last digit which alpha they mean, and large columns make much of that digit.
  if (!(worst > 1 && std::isfinite(worst))) return;
  const auto q = q_;
  const double base = base_, dual = dual_;
  approach_domain(sample_, choices_, alpha);
  (void)use_dual_vector(alpha);
  add_up();
  if (dual_ >= dual) return;
  q_ = q;
  base_ = base;
  add_up();
}

/// Returns what alpha had to be divided by so that every q_j is finite. (3.8)
double PointBound::use_dual_vector(std::span<const double> alpha) {
  const double sum = sample_.settings().intercept ? 0 : total(alpha), lambda1 = sample_.settings().lambda1;
  double squares = 0;  // of alpha_i / sqrt(w_i)
  for (std::size_t i = 0; i < alpha.size(); ++i) squares += alpha[i] / sample_.weights()[i] * alpha[i];
  const double length = std::sqrt(squares) * (1 + 1e-6);
  std::vector<double> tau(q_.size(), 0.0), error(q_.size(), 0.0);
  double worst = 1;
  for (Index j = 0; j < sample_.cols(); ++j) {
    if (choices_[j] == Choice::Out) continue;
    tau[j] = standardised_dot(sample_, j, alpha, sum);
    error[j] = 3 * u * sample_.scale(j) * sample_.norm(j) * length + 8 * u * std::abs(tau[j]);
    const auto g = sample_.coordinate(j);
    for (const double end : {tau[j] - error[j], tau[j] + error[j]})
      if (std::abs(end) > lambda1 && g.needs_scaling(-end)) worst = std::max(worst, std::abs(end) / lambda1);
  }
  const double scale = worst > 1 ? (1 - 1e-12) / worst : 1;  // 0 where lambda1 is 0
  for (Index j = 0; j < sample_.cols(); ++j)
    if (choices_[j] != Choice::Out)
      q_[j] = sample_.coordinate(j).conjugate_above(scale * tau[j], scale * error[j] * (1 + 4 * u));
  base_ = std::visit([&](const auto& loss) { return loss_part(loss, sample_, alpha, scale); }, sample_.loss());
  return worst;
}

/// (y-o)'W(y-o)/2 - b'Hb/2, and q at tau = Hb - c with d_j/2 more lambda2. As b may be anything, it is the one whose
/// slopes, in the data's units, are exactly those that `fitted` uses; rounding to that makes d_j b_j uncertain.   (7.3)
void PointBound::use_diagonal(const ProofPoint& point, const Diagonal& diagonal) {
  const auto w = sample_.weights(), y = sample_.y(), o = sample_.offset();
  auto fit = fitted(sample_, point);
  std::vector<double> target(fit.size()), residual(fit.size());
  for (std::size_t i = 0; i < fit.size(); ++i) target[i] = y[i] - o[i];
  double length = 0;  // of the columns that make the fit
  for (std::size_t c = 0; c < point.support.size(); ++c)
    length += std::abs(point.values[c] * sample_.scale(point.support[c])) * sample_.norm(point.support[c]);
  // In the norm of the weights: how far fit and target are from the exact ones, apart from a constant.
  const auto used = static_cast<double>(point.support.size() + 8);
  const double fit_error = 4 * u * weighted_norm(sample_, fit) + 8 * used * used * u * u * length;
  const double target_error = 4 * u * (weighted_norm(sample_, target) + weighted_norm(sample_, y));
  const double fit_centre = centre_of(sample_, fit), target_centre = centre_of(sample_, target);
  for (std::size_t i = 0; i < fit.size(); ++i) {
    fit[i] -= fit_centre;
    target[i] -= target_centre;
    residual[i] = fit[i] - target[i];
  }
  const double residual_norm = weighted_norm(sample_, residual);
  BoundedSum sum;
  for (std::size_t i = 0; i < fit.size(); ++i) {
    const double t = 0.5 * w[i] * target[i] * target[i], f = 0.5 * w[i] * fit[i] * fit[i];
    sum.add(t, 2 * u * t);
    sum.add(-f, 2 * u * f);
    residual[i] *= w[i];
  }
  sum.add(0, weighted_norm(sample_, fit) * fit_error + weighted_norm(sample_, target) * target_error);
  std::unordered_map<Index, double> moved;  // d_j b_j
  for (std::size_t c = 0; c < point.support.size(); ++c) {
    const double d = diagonal.d.at(point.support[c]), half = 0.5 * d * point.values[c] * point.values[c];
    moved[point.support[c]] = d * point.values[c];
    sum.add(half, 16 * u * std::abs(half));
  }
  base_ = sum.below();
  const double sum_residual = total(residual), error = fit_error + target_error + 3 * u * residual_norm;
  for (const auto& [j, d] : diagonal.d) {
    if (choices_[j] == Choice::Out) continue;
    const auto place = moved.find(j);
    const double tau = standardised_dot(sample_, j, residual, sum_residual),
                 less = place == moved.end() ? 0 : place->second;
    const double in_column = sample_.centred_norm(j) * error + 3 * u * sample_.norm(j) * residual_norm +
                             8 * u * std::abs(sample_.mean(j) * sum_residual);
    q_[j] = sample_.coordinate(j, 0.5 * d)
                .conjugate_above(tau - less, sample_.scale(j) * in_column + 8 * u * (std::abs(tau) + std::abs(less)));
  }
}

void PointBound::add_up() {
  const bool budget = sample_.settings().k.has_value();
  BoundedSum sum;
  sum.add(base_);
  Index in = 0;
  std::vector<double> free;
  for (Index j = 0; j < sample_.cols(); ++j) {
    if (choices_[j] == Choice::In) {
      ++in;
      sum.add(sample_.lambda0() - q_[j], u * std::abs(sample_.lambda0() - q_[j]));
    } else if (choices_[j] == Choice::Free) {
      if (budget) free.push_back(q_[j]);
      else if (q_[j] > sample_.lambda0()) sum.add(sample_.lambda0() - q_[j], u * (q_[j] - sample_.lambda0()));
    }
  }
  left_ = sample_.settings().k.value_or(0) - in;
  if (budget) add_up_budget(sum, free);
  dual_ = sum.below();
  if (!std::isfinite(dual_)) dual_ = -inf;
  least_ = least_bound(sample_, in);
  if (budget && left_ < 0) least_ = inf;  // no coefficients are in the node at all
}

/// The free features of largest q fill what is left of the budget. (7.2)
void PointBound::add_up_budget(BoundedSum& sum, std::vector<double>& free) {
  std::sort(free.begin(), free.end(), std::greater<>());
  const auto inside = std::min(free.size(), static_cast<std::size_t>(std::max<Index>(left_, 0)));
  for (std::size_t r = 0; r < inside; ++r) sum.add(-free[r]);
  last_inside_ = inside > 0 ? free[inside - 1] : 0;
  outside_ = inside < free.size() ? free[inside] : 0;
}

/// dual_ without a feature's share, or with another one.
double PointBound::dual_plus(double more) const { return dual_ + more - 4 * u * (std::abs(dual_) + more); }

double PointBound::if_in(Index j) const {
  if (sample_.settings().k) {
    if (left_ <= 0) return inf;
    return std::max({least_, dual_, dual_plus(std::max(0.0, last_inside_ - q_[j]))});
  }
  return std::max(
      {least_ + sample_.lambda0() * (1 - 2 * u), dual_, dual_plus(std::max(0.0, sample_.lambda0() - q_[j]))});
}

double PointBound::if_out(Index j) const {
  if (dual_ == -inf) return least_;
  const double price = sample_.settings().k ? outside_ : sample_.lambda0();
  return std::max({least_, dual_, dual_plus(std::max(0.0, q_[j] - price))});
}

}  // namespace ellzero::verify
