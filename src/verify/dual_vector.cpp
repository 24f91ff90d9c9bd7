// The two steps of (3.7): the loss's derivative, then a sum of 0. Only the constructor of DualVector is to be trusted.
#include "verify/dual_vector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "verify/exact_sums.hpp"
#include "verify/losses.hpp"
#include "verify/triangle.hpp"

namespace ellzero::verify {
namespace {

/// Beyond, squares of sums would overflow.
constexpr double largest_dual = 1e120;

double largest_magnitude_of(std::span<const double> alpha) {
  double largest = 0;
  for (const double a : alpha) {
    if (!(std::abs(a) <= largest_dual))
      throw Error(ErrorCode::Numerical, fmt::format("a dual variable is {}; expected at most {:g}", a, largest_dual));
    largest = std::max(largest, std::abs(a));
  }
  return largest;
}

/// Whole numbers of quanta of which any sum is exact.
double quantum_of(double largest, std::size_t count) {
  const int bits = std::min(51, 62 - static_cast<int>(std::bit_width(count)));
  return std::ldexp(1.0, std::ilogb(largest) + 1 - bits);
}

/// Every entry a whole number of quanta; what is left over comes off the entries of its own sign. Entries only move
/// towards 0, which stays inside every F.
void fold_sum(std::span<double> alpha) {
  const double largest = largest_magnitude_of(alpha);
  if (largest == 0) return;
  const double quantum = quantum_of(largest, alpha.size());
  std::vector<std::int64_t> quanta(alpha.size(), 0);
  std::int64_t excess = 0;
  if (std::isnormal(quantum))
    for (std::size_t i = 0; i < alpha.size(); ++i)
      excess += quanta[i] = static_cast<std::int64_t>(std::trunc(alpha[i] / quantum));
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    if ((quanta[i] > 0) == (excess > 0) && quanta[i] != 0 && excess != 0) {
      const std::int64_t take = std::min(std::abs(quanta[i]), std::abs(excess));
      quanta[i] -= excess > 0 ? take : -take;
      excess -= excess > 0 ? take : -take;
    }
    alpha[i] = static_cast<double>(quanta[i]) * quantum;
  }
}

/// Exactly: all entries are whole numbers of one quantum, and those add up to 0.
bool has_sum_zero(std::span<const double> alpha) {
  const double largest = largest_magnitude_of(alpha);
  if (largest == 0) return true;
  const double quantum = quantum_of(largest, alpha.size());
  if (!std::isnormal(quantum)) return false;
  std::int64_t sum = 0;
  for (const double a : alpha) {
    const double quanta = a / quantum;
    if (std::trunc(quanta) != quanta) return false;
    sum += static_cast<std::int64_t>(quanta);
  }
  return sum == 0;
}

/// Squared loss: every residual less their mean.
void subtract_mean(const Sample& sample, std::span<double> alpha) {
  const double mean = total(alpha).lo / sample.total_weight().lo;
  for (std::size_t i = 0; i < alpha.size(); ++i) alpha[i] -= sample.weights()[i] * mean;
}

/// Other losses: the heavier sign scaled down to the other's sum.
void balance_signs(std::span<double> alpha) {
  IntervalSum positive, negative;
  for (const double a : alpha) (a > 0 ? positive : negative).add(std::abs(a));
  const double above = positive.value().lo, below = negative.value().lo;
  for (double& a : alpha) {
    if (a > 0 && above > below) a *= std::max(0.0, below) / above;
    if (a < 0 && below > above) a *= std::max(0.0, above) / below;
  }
}

/// The least change of alpha, measured by the squares of `roots`, that takes `move` off x~_j' alpha of each column, of
/// which roots_i x~_ij is given; nearly so where columns are nearly equal.
void step_back(std::span<const double> roots, const std::vector<std::vector<double>>& columns, std::vector<double> move,
               std::span<double> alpha) {
  Triangle products;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    auto& row = products.emplace_back();
    for (std::size_t b = 0; b <= a; ++b) row.push_back(inner_product(columns[a], columns[b]).lo);
    row[a] += 1e-12;
  }
  if (!cholesky(products)) return;
  solve(products, move);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t i = 0; i < alpha.size(); ++i) alpha[i] -= roots[i] * columns[k][i] * move[k];
}

/// Inside F, with a sum of exactly 0 where there is an intercept.
void make_feasible(const Sample& sample, std::span<double> alpha) {
  std::visit(
      [&]<class L>(const L& loss) {
        for (std::size_t i = 0; i < alpha.size(); ++i) {
          const double w = sample.weights()[i];
          alpha[i] = w * loss.project(alpha[i] / w, sample.y()[i]);
        }
        if (!sample.settings().intercept) return;
        if constexpr (L::quadratic) subtract_mean(sample, alpha);
        else balance_signs(alpha);
        fold_sum(alpha);
      },
      sample.loss());
}

double middle(const Interval& x) { return 0.5 * (x.lo + x.hi); }

std::vector<double> roots_of(std::span<const double> values) {
  std::vector<double> roots;
  for (const double value : values) roots.push_back(std::sqrt(value));
  return roots;
}

/// Dense columns that a step may hold: no more than the data, or a few million numbers.
bool is_affordable(const Sample& sample, std::size_t columns) {
  constexpr std::size_t always = 1 << 22, most_held = 300;
  return columns <= most_held && columns * sample.y().size() <= std::max(always, sample.entries());
}

/// tau_j of an alpha whose sum need not be 0.
double tau_of(const Sample& sample, Index j, const DualVector& length, std::span<const double> alpha,
              const Interval& sum) {
  const Interval raw = sample.dot(j, alpha, length.length());
  return middle((raw - (Interval(sample.shift(j)) + sample.shift_rest(j)) * sum) * sample.scale(j));
}

}  // namespace

DualVector::DualVector(const Sample& sample, std::vector<double> alpha) : values_(std::move(alpha)) {
  (void)largest_magnitude_of(values_);
  IntervalSum squares;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!is_in_domain(sample.loss(), values_[i], sample.y()[i], sample.weights()[i]))
      throw Error(ErrorCode::Numerical, fmt::format("a dual variable is {}, outside its domain", values_[i]));
    squares.add(Interval(values_[i]) / sample.weights()[i] * values_[i]);
  }
  if (sample.settings().intercept && !has_sum_zero(values_))
    throw Error(ErrorCode::Numerical, "the dual variables do not add up to 0");
  length_ = root(squares.value()).hi;
}

std::vector<double> slopes_of(const Sample& sample, const ProofPoint& point) {
  std::vector<double> slopes;
  for (std::size_t c = 0; c < point.support.size(); ++c) {
    const Index j = point.support[c];
    slopes.push_back(sample.constant(j) ? 0 : finite(point.values[c] * middle(sample.scale(j))));
  }
  return slopes;
}

std::vector<double> fitted(const Sample& sample, std::span<const Index> support, std::span<const double> slopes) {
  std::vector<double> u(sample.y().size(), 0.0), rest(u.size(), 0.0);
  for (std::size_t c = 0; c < support.size(); ++c) {
    const double shift = sample.shift(support[c]);
    sample.for_each_entry(support[c], [&](Index i, double x) {
      const TwoPart distance = two_sum(x, -shift), product = two_product(slopes[c], distance.value);
      const TwoPart next = two_sum(u[i], product.value);
      rest[i] += next.rest + product.rest + slopes[c] * distance.rest;
      u[i] = next.value;
    });
  }
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = finite(u[i] + rest[i]);
  return u;
}

bool is_unbounded(const Sample& sample, Index j, double sign) {
  return sample.lambda2() == 0 && std::isinf(sign > 0 ? sample.upper(j) : sample.lower(j));
}

DualVector nearer_domain(const Sample& sample, std::span<const Choice> choices, const DualVector& from) {
  constexpr int most_rounds = 10;
  const auto roots = roots_of(sample.weights());
  const double inside = (1 - 1e-9) * sample.lambda1();
  std::vector<double> alpha(from.values().begin(), from.values().end());
  std::vector<Index> held;
  std::vector<char> is_held(choices.size(), 0);
  std::vector<std::vector<double>> columns;  // of norm 1
  std::vector<double> norms;
  for (int round = 0; round < most_rounds; ++round) {
    const Interval sum = sample.settings().intercept ? total(alpha) : Interval(0);  // no longer 0 after a step
    std::vector<double> move;                                                       // of tau, for columns of norm 1
    const auto beyond = [&](Index j) {
      const double tau = tau_of(sample, j, from, alpha, sum);
      return tau - std::clamp(tau, -inside, inside);
    };
    for (std::size_t k = 0; k < held.size(); ++k) move.push_back(beyond(held[k]) / norms[k]);
    for (Index j = 0; j < sample.cols(); ++j) {
      if (choices[j] == Choice::Out || sample.constant(j) || is_held[j] != 0) continue;
      const double excess = beyond(j);
      if (excess == 0 || !is_unbounded(sample, j, -excess)) continue;
      if (!is_affordable(sample, held.size() + 1)) return from;  // too many to be the work of roundings
      is_held[j] = 1;
      held.push_back(j);
      columns.push_back(sample.weighted_column(j));
      norms.push_back(std::sqrt(inner_product(columns.back(), columns.back()).hi));
      for (double& z : columns.back()) z /= norms.back();
      move.push_back(excess / norms.back());
    }
    if (std::count(move.begin(), move.end(), 0.0) == std::ssize(move)) break;
    step_back(roots, columns, move, alpha);
  }
  make_feasible(sample, alpha);
  return {sample, std::move(alpha)};
}

namespace {

/// l'' at alpha, which says where u is.
std::vector<double> curvature(const Sample& sample, std::span<const double> alpha) {
  std::vector<double> h;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    const double m = std::abs(alpha[i]) / sample.weights()[i];
    if (std::holds_alternative<loss::Squared>(sample.loss())) h.push_back(1);
    else if (std::holds_alternative<loss::Logistic>(sample.loss())) h.push_back(std::max(0.0, m * (1 - m)));
    else h.push_back(m > 0 && m < 1 ? 1 / std::get<loss::SmoothedHinge>(sample.loss()).width : 0);
  }
  return h;
}

/// What a free feature is paid for: lambda0, or the q from which on the budget is full at these coefficients, where
/// sum_j min(1, |b_j| / sqrt(q / lambda2)) is what is left of it.                                          (7.1), (7.2)
double price_of(const Sample& sample, std::span<const Choice> choices, const ProofPoint& point) {
  if (!sample.settings().k) return sample.lambda0();
  const auto left = static_cast<double>(*sample.settings().k - std::count(choices.begin(), choices.end(), Choice::In));
  const auto used = [&](double reach) {
    double sum = 0;
    for (std::size_t c = 0; c < point.support.size(); ++c)
      if (choices[point.support[c]] == Choice::Free) sum += std::min(1.0, std::abs(point.values[c]) / reach);
    return sum;
  };
  double low = 0, high = largest_dual;
  for (int step = 0; step < 2000 && high > low * (1 + 1e-15); ++step) {
    const double reach = low > 0 ? std::sqrt(low * high) : high * 0x1p-30;
    if (reach < 1e-120) return 0;
    (used(reach) > left ? low : high) = reach;
  }
  return sample.lambda2() * high * high;
}

/// |tau_j| at an optimum of the node that has the coefficient b there; nothing for one at its bound.              (3.1)
double wanted_tau(const Sample& sample, Index j, double b, double price) {
  const double end = b > 0 ? sample.upper(j) : -sample.lower(j), lambda2 = sample.lambda2();
  const double reach = end / middle(sample.scale(j)), knee = price > 0 ? std::sqrt(price / lambda2) : 0;
  if (!(std::abs(b) < reach * (1 - 1e-9))) return std::numeric_limits<double>::quiet_NaN();
  if (knee > reach) return sample.lambda1() + price / reach + lambda2 * reach;
  return sample.lambda1() + 2 * lambda2 * std::max(std::abs(b), knee);
}

/// roots_i x~_ij of norm 1, less its part along `roots` where there is an intercept; returns the norm.
double make_column(const Sample& sample, Index j, std::span<const double> h, std::span<const double> roots,
                   std::vector<double>& column) {
  column = sample.weighted_column(j);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] *= std::sqrt(h[i]);
  const double mass = sample.settings().intercept ? inner_product(roots, roots).lo : 0;
  if (mass > 0) {
    const double mean = inner_product(roots, column).lo / mass;
    for (std::size_t i = 0; i < column.size(); ++i) column[i] -= mean * roots[i];
  }
  const double norm = std::sqrt(std::max(0.0, inner_product(column, column).hi));
  for (double& z : column) z /= norm > 0 ? norm : 1;
  return norm;
}

/// The intercept has a last digit, too, which is coarse where offsets are far from 0: it is moved by no more than that
/// to where the sum of alpha is 0. `derivatives` gives w_i l'(u_i + c).
template <class Derivatives>
double finer_intercept(double digit, Derivatives&& derivatives) {
  constexpr double fine_enough = 1e-12;
  if (digit < fine_enough) return 0;
  const auto sum = [&](double c) { return total(derivatives(c)).lo; };
  double low = -digit, high = digit;
  if (!(sum(low) < 0 && sum(high) > 0)) return 0;
  for (int step = 0; step < 60; ++step) {
    const double c = 0.5 * (low + high);
    (sum(c) < 0 ? low : high) = c;
  }
  return 0.5 * (low + high);
}

}  // namespace

double cost_of_digits(const Sample& sample, const ProofPoint& point) {
  double size = 0, norm = 0, b = 0;
  for (std::size_t c = 0; c < point.support.size(); ++c) {
    const Index j = point.support[c];
    if (sample.constant(j)) continue;
    const double own = sample.shifted_norm(j) * sample.scale(j).hi;
    size += std::abs(point.values[c]) * own;
    norm = std::max(norm, own);
    b = std::max(b, std::abs(point.values[c]));
  }
  const double tau = core::unit_roundoff * size * norm;
  return tau * b + (sample.lambda2() > 0 ? tau * tau / (4 * sample.lambda2()) : 0);
}

double cost_of_offset(const Sample& sample) {
  if (std::holds_alternative<loss::Squared>(sample.loss())) return 0;  // its targets are centred without a rounding
  return core::unit_roundoff * largest_magnitude_of(sample.offset()) * sample.total_weight().hi;
}

DualVector nearer_optimum(const Sample& sample, std::span<const Choice> choices, const ProofPoint& point,
                          const DualVector& from) {
  constexpr int most_rounds = 6;
  if (sample.lambda2() == 0 || !is_affordable(sample, point.support.size())) return from;
  const double price = price_of(sample, choices, point);
  const auto h = curvature(sample, from.values());
  std::vector<double> weighted(h);
  for (std::size_t i = 0; i < h.size(); ++i) weighted[i] *= sample.weights()[i];
  const auto roots = roots_of(weighted);
  std::vector<Index> held;
  std::vector<double> wanted, norms;
  std::vector<std::vector<double>> columns;
  for (std::size_t c = 0; c < point.support.size(); ++c) {
    const Index j = point.support[c];
    const double b = point.values[c];
    if (choices[j] == Choice::Out || sample.constant(j) || b == 0) continue;
    const double tau = wanted_tau(sample, j, b, choices[j] == Choice::Free ? price : 0);
    const double norm = make_column(sample, j, h, roots, columns.emplace_back());
    if (!std::isfinite(tau) || norm == 0) {
      columns.pop_back();
      continue;
    }
    held.push_back(j);
    wanted.push_back(b > 0 ? -tau : tau);
    norms.push_back(norm);
  }
  DualVector best = from;
  for (int round = 0; round < most_rounds && !held.empty(); ++round) {
    std::vector<double> alpha(best.values().begin(), best.values().end()), move;
    for (std::size_t k = 0; k < held.size(); ++k)
      move.push_back((tau_of(sample, held[k], best, alpha, Interval(0)) - wanted[k]) / norms[k]);
    step_back(roots, columns, move, alpha);
    make_feasible(sample, alpha);
    best = DualVector(sample, std::move(alpha));
  }
  return best;
}

DualVector dual_vector(const Sample& sample, const ProofPoint& point) {
  const auto slopes = slopes_of(sample, point);
  auto alpha = fitted(sample, point.support, slopes);
  double constant = 0;
  for (std::size_t c = 0; c < slopes.size(); ++c) constant -= slopes[c] * middle(sample.shift_rest(point.support[c]));
  std::visit(
      [&]<class L>(const L& loss) {
        if constexpr (L::quadratic) {
          // The target is centred: the intercept is the one that makes the sum 0.
          for (std::size_t i = 0; i < alpha.size(); ++i)
            alpha[i] = sample.weights()[i] * ((alpha[i] - sample.target()[i]) - sample.target_rest()[i]);
        } else {
          double largest = std::abs(point.intercept);
          for (std::size_t i = 0; i < alpha.size(); ++i) {  // an offset far from 0 takes the intercept with it
            const TwoPart far = two_sum(sample.offset()[i], point.intercept);
            alpha[i] = far.value + (alpha[i] + constant + far.rest);
            largest = std::max(largest, std::abs(sample.offset()[i]));
          }
          const auto derivatives = [&](double c) {
            std::vector<double> result;
            for (std::size_t i = 0; i < alpha.size(); ++i)
              result.push_back(sample.weights()[i] * loss.derivative(alpha[i] + c, sample.y()[i]));
            return result;
          };
          const bool free = sample.settings().intercept;
          alpha = derivatives(free ? finer_intercept(64 * core::unit_roundoff * largest, derivatives) : 0);
        }
      },
      sample.loss());
  make_feasible(sample, alpha);
  return {sample, std::move(alpha)};
}

}  // namespace ellzero::verify
