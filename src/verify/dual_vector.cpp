// The two steps of (3.7): the loss's derivative, then a sum of 0. Only the constructor of DualVector is to be trusted.
#include "verify/dual_vector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
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

double largest_of(std::span<const double> alpha) {
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
  const double largest = largest_of(alpha);
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
  const double largest = largest_of(alpha);
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

/// The least change of alpha that takes `move` off x~_j' alpha of each column; nearly so where columns are nearly
/// equal.
void step_back(const Sample& sample, const std::vector<std::vector<double>>& columns, std::vector<double> move,
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
    for (std::size_t i = 0; i < alpha.size(); ++i) alpha[i] -= std::sqrt(sample.weights()[i]) * columns[k][i] * move[k];
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

}  // namespace

DualVector::DualVector(const Sample& sample, std::vector<double> alpha) : values_(std::move(alpha)) {
  (void)largest_of(values_);
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
  constexpr std::size_t most_held = 300;
  constexpr int most_rounds = 10;
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
      const Interval raw = sample.dot(j, alpha, from.length());
      const double tau = middle((raw - (Interval(sample.shift(j)) + sample.shift_rest(j)) * sum) * sample.scale(j));
      return tau - std::clamp(tau, -inside, inside);
    };
    for (std::size_t k = 0; k < held.size(); ++k) move.push_back(beyond(held[k]) / norms[k]);
    for (Index j = 0; j < sample.cols(); ++j) {
      if (choices[j] == Choice::Out || sample.constant(j) || is_held[j] != 0) continue;
      const double excess = beyond(j);
      if (excess == 0 || !is_unbounded(sample, j, -excess)) continue;
      if (held.size() == most_held) return from;  // too many to be the work of roundings
      is_held[j] = 1;
      held.push_back(j);
      columns.push_back(sample.weighted_column(j));
      norms.push_back(std::sqrt(inner_product(columns.back(), columns.back()).hi));
      for (double& z : columns.back()) z /= norms.back();
      move.push_back(excess / norms.back());
    }
    if (std::count(move.begin(), move.end(), 0.0) == std::ssize(move)) break;
    step_back(sample, columns, move, alpha);
  }
  make_feasible(sample, alpha);
  return {sample, std::move(alpha)};
}

DualVector dual_vector(const Sample& sample, const ProofPoint& point) {
  const auto slopes = slopes_of(sample, point);
  auto alpha = fitted(sample, point.support, slopes);
  double constant = point.intercept;
  for (std::size_t c = 0; c < slopes.size(); ++c) constant -= slopes[c] * middle(sample.shift_rest(point.support[c]));
  std::visit(
      [&]<class L>(const L& loss) {
        for (std::size_t i = 0; i < alpha.size(); ++i) {
          // The target of squared loss is centred: the intercept is the one that makes the sum 0.
          const double derivative = L::quadratic
                                        ? (alpha[i] - sample.target()[i]) - sample.target_rest()[i]
                                        : loss.derivative(alpha[i] + constant + sample.offset()[i], sample.y()[i]);
          alpha[i] = sample.weights()[i] * derivative;
        }
      },
      sample.loss());
  make_feasible(sample, alpha);
  return {sample, std::move(alpha)};
}

}  // namespace ellzero::verify
