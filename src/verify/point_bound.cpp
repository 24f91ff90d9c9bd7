// Bounds of a node from one dual point, as section 7 of docs/math.md has them, with compensated sums.
#include "verify/point_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "verify/dual_vector.hpp"
#include "verify/exact_sums.hpp"

namespace ellzero::verify {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// The weighted mean of values where there is an intercept, else 0.
double centre_of(const Sample& sample, std::span<const double> values) {
  return sample.settings().intercept ? inner_product(sample.weights(), values) / total(sample.weights()) : 0;
}

}  // namespace

PointBound::PointBound(const Sample& sample, std::span<const Choice> choices, const ProofPoint& point,
                       const Diagonal* diagonal)
    : sample_(sample), choices_(choices), q_(choices.size(), 0.0) {
  if (diagonal != nullptr) use_diagonal(point, *diagonal);
  else use_dual_vector(point);
  add_up();
}

/// sum_i alpha_i o_i - l_i*(alpha_i) (3.3)
template <class L>
double PointBound::loss_part(const L& loss, std::span<const double> alpha) const {
  const auto w = sample_.weights(), y = sample_.y(), o = sample_.offset();
  core::CompensatedSum sum;
  if constexpr (L::quadratic) {  // as alpha sums to 0 with an intercept, y - o may be centred
    std::vector<double> target(alpha.size());
    for (std::size_t i = 0; i < alpha.size(); ++i) target[i] = y[i] - o[i];
    const double centre = centre_of(sample_, target);
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      add_product(sum, -alpha[i], target[i] - centre);
      add_product(sum, -0.5 * alpha[i] / w[i], alpha[i]);
    }
  } else {
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      add_product(sum, alpha[i], o[i]);
      sum.add(-w[i] * loss.conjugate(loss.project(alpha[i] / w[i], y[i]), y[i]));
    }
  }
  return sum.value();
}

/// What alpha must be scaled by so that every q_j is finite. (3.8)
double PointBound::scale_for(std::span<const double> tau) const {
  double worst = 1;
  for (Index j = 0; j < sample_.cols(); ++j) {
    if (choices_[j] == Choice::Out || std::abs(tau[j]) <= sample_.settings().lambda1) continue;
    if (sample_.coordinate(j).needs_scaling(-tau[j]))
      worst = std::max(worst, std::abs(tau[j]) / sample_.settings().lambda1);
  }
  return worst > 1 ? (1 - 1e-12) / worst : 1;  // 0 where lambda1 is 0
}

void PointBound::use_dual_vector(const ProofPoint& point) {
  auto alpha = dual_vector(sample_, point);
  const double sum = sample_.settings().intercept ? 0 : total(alpha);
  std::vector<double> tau(q_.size(), 0.0);
  for (Index j = 0; j < sample_.cols(); ++j)
    if (choices_[j] != Choice::Out) tau[j] = standardised_dot(sample_, j, alpha, sum);
  const double scale = scale_for(tau);
  for (double& a : alpha) a *= scale;
  for (Index j = 0; j < sample_.cols(); ++j)
    if (choices_[j] != Choice::Out) q_[j] = sample_.coordinate(j).conjugate(scale * tau[j]);
  base_ = std::visit([&](const auto& loss) { return loss_part(loss, alpha); }, sample_.loss());
}

/// (y-o)'W(y-o)/2 - b'Hb/2, and q at tau = Hb - c with d_j/2 more lambda2 (7.3)
void PointBound::use_diagonal(const ProofPoint& point, const Diagonal& diagonal) {
  const auto w = sample_.weights(), y = sample_.y(), o = sample_.offset();
  auto fit = fitted(sample_, point);
  std::vector<double> target(fit.size());
  for (std::size_t i = 0; i < fit.size(); ++i) target[i] = y[i] - o[i];
  const double fit_centre = centre_of(sample_, fit), target_centre = centre_of(sample_, target);
  core::CompensatedSum sum;
  std::vector<double> residual(fit.size());
  for (std::size_t i = 0; i < fit.size(); ++i) {
    const double f = fit[i] - fit_centre, t = target[i] - target_centre;
    add_product(sum, 0.5 * w[i] * t, t);
    add_product(sum, -0.5 * w[i] * f, f);
    residual[i] = w[i] * (f - t);
  }
  std::unordered_map<Index, double> b;
  for (std::size_t c = 0; c < point.support.size(); ++c) {
    const double d = diagonal.d.at(point.support[c]);
    b[point.support[c]] = point.values[c];
    add_product(sum, 0.5 * d * point.values[c], point.values[c]);
  }
  base_ = sum.value();
  const double sum_residual = total(residual);
  for (const auto& [j, d] : diagonal.d) {
    if (choices_[j] == Choice::Out) continue;
    const auto place = b.find(j);
    const double tau =
        standardised_dot(sample_, j, residual, sum_residual) - (place == b.end() ? 0 : d * place->second);
    q_[j] = sample_.coordinate(j, 0.5 * d).conjugate(tau);
  }
}

void PointBound::add_up() {
  const bool budget = sample_.settings().k.has_value();
  core::CompensatedSum sum;
  sum.add(base_);
  Index in = 0;
  std::vector<double> free;
  for (Index j = 0; j < sample_.cols(); ++j) {
    if (choices_[j] == Choice::In) {
      ++in;
      sum.add(sample_.lambda0() - q_[j]);
    } else if (choices_[j] == Choice::Free) {
      if (budget) free.push_back(q_[j]);
      else sum.add(std::min(0.0, sample_.lambda0() - q_[j]));
    }
  }
  left_ = sample_.settings().k.value_or(0) - in;
  if (budget) add_up_budget(sum, free);
  dual_ = sum.value();
  if (!std::isfinite(dual_)) dual_ = -inf;
  least_ = static_cast<double>(in) * sample_.lambda0();
  if (budget && left_ < 0) least_ = inf;  // no coefficients are in the node at all
}

/// The free features of largest q fill what is left of the budget. (7.2)
void PointBound::add_up_budget(core::CompensatedSum& sum, std::vector<double>& free) {
  std::sort(free.begin(), free.end(), std::greater<>());
  const auto inside = std::min(free.size(), static_cast<std::size_t>(std::max<Index>(left_, 0)));
  for (std::size_t r = 0; r < inside; ++r) sum.add(-free[r]);
  last_inside_ = inside > 0 ? free[inside - 1] : 0;
  outside_ = inside < free.size() ? free[inside] : 0;
}

double PointBound::if_in(Index j) const {
  if (sample_.settings().k) {
    if (left_ <= 0) return inf;
    return std::max(least_, dual_ + std::max(0.0, last_inside_ - q_[j]));
  }
  return std::max(least_ + sample_.lambda0(), dual_ + std::max(0.0, sample_.lambda0() - q_[j]));
}

double PointBound::if_out(Index j) const {
  if (dual_ == -inf) return least_;
  const double price = sample_.settings().k ? outside_ : sample_.lambda0();
  return std::max(least_, dual_ + std::max(0.0, q_[j] - price));
}

}  // namespace ellzero::verify
