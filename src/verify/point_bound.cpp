// Bounds of a node from one dual point, as section 4 of docs/proofs.md has them.
//
// The point's dual vector is taken as it is, digit for digit. What is made of it is enclosed: tau_j is an interval and
// q_j is taken at its largest there, sums are taken at their least, so that no bound here is above the exact one.
#include "verify/point_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "verify/conjugate.hpp"
#include "verify/losses.hpp"

namespace ellzero::verify {
namespace {

/// sqrt(sum_i w_i v_i^2), not below the exact one.
double weighted_norm(const Sample& sample, std::span<const double> v) {
  double squares = 0;
  for (std::size_t i = 0; i < v.size(); ++i) squares += sample.weights()[i] * v[i] * v[i];
  constexpr double underflow = 1e-150;  // more than squares may lose below the normal numbers
  return up(std::sqrt(finite(squares)) * (1 + 1e-6) + underflow);
}

/// |v|^2 / 2 in the norm of the weights, for a v that is known but for `error` in that norm, less its weighted mean
/// where there is an intercept.
Interval half_square(const Sample& sample, std::span<const double> v, double error) {
  IntervalSum squares, weighted;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Interval part = Interval(sample.weights()[i]) * v[i];
    weighted.add(part);
    squares.add(part * v[i]);
  }
  Interval sum = squares.value();
  if (sample.settings().intercept) sum = sum - square(weighted.value()) / sample.total_weight();
  const Interval length = root(sum) + Interval(-error, error);
  return Interval(0.5) * square({std::max(0.0, length.lo), length.hi});
}

}  // namespace

std::vector<Choice> within_budget(const Sample& sample, std::span<const Choice> choices) {
  std::vector<Choice> result(choices.begin(), choices.end());
  const auto k = sample.settings().k;
  if (k && std::count(result.begin(), result.end(), Choice::In) >= *k)
    std::replace(result.begin(), result.end(), Choice::Free, Choice::Out);
  return result;
}

PointBound::PointBound(const Sample& sample, std::span<const Choice> choices, const ProofPoint& point,
                       const Diagonal* diagonal)
    : sample_(sample), choices_(within_budget(sample, choices)) {
  count_features();
  if (diagonal != nullptr) {
    add_up(by_diagonal(point, *diagonal));
    return;
  }
  const DualVector alpha = dual_vector(sample_, point);
  const Parts first = by_dual_vector(alpha);
  add_up(first);
  // Coefficients say only to their last digit which alpha they mean, and large columns make much of that digit.
  if (first.scaled != 1) add_up(by_dual_vector(nearer_domain(sample_, choices_, alpha)));
  else if (cost_of_digits(sample_, point) > no_matter * std::abs(evaluations_[0].dual))
    add_up(by_dual_vector(nearer_optimum(sample_, choices_, point, alpha)));
}

/// A lower bound of sum_i s alpha_i o_i - w_i l*(s alpha_i / w_i). (3.3)
double PointBound::loss_part(const DualVector& alpha, double scale) const {
  const auto w = sample_.weights(), a = alpha.values();
  IntervalSum sum;
  if (std::holds_alternative<loss::Squared>(sample_.loss())) {
    // -s sum_i alpha_i (y_i - o_i) - s^2 sum_i alpha_i^2 / (2 w_i), and sum_i alpha_i = 0 where targets are centred
    for (std::size_t i = 0; i < a.size(); ++i) sum.add(Interval(-0.5) * scale * (Interval(a[i]) / w[i] * a[i]));
    IntervalSum rests;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double error = sample_.target_error()[i];
      rests.add(Interval(a[i]) * (Interval(sample_.target_rest()[i]) + Interval(-error, error)));
    }
    const Interval linear = inner_product(a, sample_.target()) + rests.value();
    return (Interval(scale) * (sum.value() - linear)).lo;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Interval m = Interval(scale) * magnitude(a[i]) / w[i];
    sum.add(Interval(-w[i]) * conjugate_above(sample_.loss(), m));
  }
  sum.add(Interval(scale) * inner_product(a, sample_.offset()));
  return sum.value().lo;
}

PointBound::Parts PointBound::by_dual_vector(const DualVector& alpha) const {
  const double lambda1 = sample_.lambda1();
  std::vector<Interval> tau(choices_.size());
  double beyond = 0;  // the largest |tau_j| of those that have to be within lambda1
  for (Index j = 0; j < sample_.cols(); ++j) {
    if (choices_[j] == Choice::Out || sample_.constant(j)) continue;
    tau[j] = sample_.dot(j, alpha.values(), alpha.length()) * sample_.scale(j);
    if (-tau[j].lo > lambda1 && is_unbounded(sample_, j, +1)) beyond = std::max(beyond, -tau[j].lo);
    if (tau[j].hi > lambda1 && is_unbounded(sample_, j, -1)) beyond = std::max(beyond, tau[j].hi);
  }
  Parts parts{0, std::vector<double>(choices_.size(), 0.0)};
  constexpr double margin = 1e-14;  // so that the product below is not above lambda1
  if (beyond > 0) parts.scaled = std::max(0.0, lambda1 / beyond * (1 - margin));  // 0 where lambda1 is 0 (3.8)
  for (Index j = 0; j < sample_.cols(); ++j)
    if (choices_[j] != Choice::Out && !sample_.constant(j) && parts.scaled > 0)
      parts.q[j] = conjugate_above(sample_, j, parts.scaled == 1 ? tau[j] : Interval(parts.scaled) * tau[j]);
  parts.base = parts.scaled > 0 ? loss_part(alpha, parts.scaled) : 0;
  return parts;
}

/// (y-o)'W(y-o)/2 - b'Hb/2, and q at tau = Hb - c with d_j/2 more lambda2. As b may be anything, it is the one whose
/// slopes, in the data's units, are exactly those that `fitted` uses; rounding to that makes d_j b_j uncertain.   (7.3)
PointBound::Parts PointBound::by_diagonal(const ProofPoint& point, const Diagonal& diagonal) const {
  constexpr double u = core::unit_roundoff;
  const auto w = sample_.weights();
  const auto slopes = slopes_of(sample_, point);
  const auto fit = fitted(sample_, point.support, slopes);
  double size = 0;  // of the columns that make the fit
  for (std::size_t c = 0; c < slopes.size(); ++c)
    size += std::abs(slopes[c]) * sample_.shifted_norm(point.support[c]) * (1 + 1e-6);
  // How far fit, target and their difference may be from the exact ones, but for a constant, in the norm of the
  // weights: a last rounding, and the second order of the sum that made it.
  const auto used = static_cast<double>(slopes.size() + 8);
  const double fit_error = up(4 * u * weighted_norm(sample_, fit) + 8 * used * used * u * u * finite(size));
  const double target_error =
      up(weighted_norm(sample_, sample_.target_rest()) + weighted_norm(sample_, sample_.target_error()));
  std::vector<double> residual(fit.size());
  for (std::size_t i = 0; i < fit.size(); ++i) residual[i] = fit[i] - sample_.target()[i];
  double middle = 0;
  if (sample_.settings().intercept) middle = inner_product(w, residual).lo / sample_.total_weight().hi;
  for (double& r : residual) r -= middle;
  const double length = weighted_norm(sample_, residual);
  const double roundings = 4 * u * (length + weighted_norm(sample_, fit) + weighted_norm(sample_, sample_.target()));
  const double error = up(fit_error + target_error + roundings);

  IntervalSum base;
  base.add(half_square(sample_, sample_.target(), target_error));
  base.add(-half_square(sample_, fit, fit_error));
  std::map<Index, Interval> moved;  // d_j b_j
  for (std::size_t c = 0; c < slopes.size(); ++c) {
    const Index j = point.support[c];
    if (sample_.constant(j)) continue;
    const Interval b = Interval(slopes[c]) / sample_.scale(j), d = diagonal.d.at(j);
    moved[j] = d * b;
    base.add(Interval(0.5) * d * square(b));
  }
  Parts parts{base.value().lo, std::vector<double>(choices_.size(), 0.0)};

  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] *= w[i];
  const Interval sum = sample_.settings().intercept ? total(residual) : Interval(0);
  for (const auto& [j, d] : diagonal.d) {
    if (choices_[j] == Choice::Out || sample_.constant(j)) continue;
    // (x - mean)'Wr = x'Wr - mean sum(Wr): what is wrong with r meets the centred column only
    Interval product = sample_.dot(j, residual, up(length * (1 + 1e-6)));
    if (sample_.settings().intercept) product = product - (Interval(sample_.shift(j)) + sample_.shift_rest(j)) * sum;
    const double off = up(sample_.shifted_norm(j) * error);
    const auto place = moved.find(j);
    const Interval tau = (product + Interval(-off, off)) * sample_.scale(j);
    parts.q[j] = conjugate_above(sample_, j, place == moved.end() ? tau : tau - place->second, d);
  }
  return parts;
}

void PointBound::count_features() {
  const auto& k = sample_.settings().k;
  const Index in = std::count(choices_.begin(), choices_.end(), Choice::In);
  left_ = k.value_or(0) - in;
  least_ = k && left_ < 0 ? inf : least_bound(sample_, in);  // inf: no coefficients are in the node at all
}

void PointBound::add_up(Parts parts) {
  const bool budget = sample_.settings().k.has_value();
  const double lambda0 = sample_.lambda0();
  Evaluation& found = evaluations_.emplace_back();
  found.q = std::move(parts.q);
  found.dual = -inf;
  if (!std::isfinite(parts.base) ||
      !std::all_of(found.q.begin(), found.q.end(), [](double q) { return std::isfinite(q); }))
    return;
  IntervalSum sum;
  sum.add(parts.base);
  std::vector<double> free;
  for (Index j = 0; j < sample_.cols(); ++j) {
    if (choices_[j] == Choice::In) sum.add(Interval(lambda0) - found.q[j]);
    else if (choices_[j] == Choice::Free && budget) free.push_back(found.q[j]);
    else if (choices_[j] == Choice::Free && found.q[j] > lambda0) sum.add(Interval(lambda0) - found.q[j]);
  }
  if (budget) add_up_budget(sum, free, found);
  found.dual = sum.value().lo;
}

/// The free features of largest q fill what is left of the budget. (7.2)
void PointBound::add_up_budget(IntervalSum& sum, std::vector<double>& free, Evaluation& evaluation) const {
  std::sort(free.begin(), free.end(), std::greater<>());
  const auto inside = std::min(free.size(), static_cast<std::size_t>(std::max<Index>(left_, 0)));
  for (std::size_t r = 0; r < inside; ++r) sum.add(-free[r]);
  evaluation.last_inside = inside > 0 ? free[inside - 1] : 0;
  evaluation.outside = inside < free.size() ? free[inside] : 0;
}

double PointBound::Evaluation::dual_plus(double more) const { return dual == -inf ? -inf : (Interval(dual) + more).lo; }

double PointBound::node() const {
  double best = least_;
  for (const Evaluation& one : evaluations_) best = std::max(best, one.dual);
  return best;
}

double PointBound::if_in(Index j) const {
  const bool budget = sample_.settings().k.has_value();
  if (budget && left_ <= 0) return inf;
  double best = budget ? node() : std::max(node(), (Interval(least_) + sample_.lambda0()).lo);
  for (const Evaluation& one : evaluations_) {
    const double price = budget ? one.last_inside : sample_.lambda0();
    best = std::max(best, one.dual_plus(std::max(0.0, down(price - one.q[j]))));
  }
  return best;
}

/// What is given back is the share that was taken, q_j at its largest: the others' shares stay as they are.
double PointBound::if_out(Index j) const {
  double best = node();
  for (const Evaluation& one : evaluations_) {
    const double price = sample_.settings().k ? one.outside : sample_.lambda0();
    best = std::max(best, one.dual_plus(std::max(0.0, down(one.q[j] - price))));
  }
  return best;
}

}  // namespace ellzero::verify
