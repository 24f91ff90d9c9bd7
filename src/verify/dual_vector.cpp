// The two steps of (3.7): the loss's derivative, then a sum of 0.
#include "verify/dual_vector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "verify/exact_sums.hpp"
#include "verify/triangle.hpp"

namespace ellzero::verify {
namespace {

/// Every entry a whole number of quanta, few enough to be added up exactly; what is left over comes off the entries
/// of its own sign. Entries only move towards 0, which stays inside every F.
void fold_sum(std::span<double> alpha) {
  double largest = 0;
  for (const double a : alpha) largest = std::max(largest, std::abs(a));
  if (largest == 0) return;
  const int bits = std::min(51, 62 - static_cast<int>(std::bit_width(alpha.size())));
  const double quantum = std::ldexp(1.0, std::ilogb(largest) + 1 - bits);
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

/// Squared loss: every residual less their mean.
void subtract_mean(const Sample& sample, std::span<double> alpha) {
  const double mean = total(alpha) / total(sample.weights());
  for (std::size_t i = 0; i < alpha.size(); ++i) alpha[i] -= sample.weights()[i] * mean;
}

/// Other losses: the heavier sign scaled down to the other's sum.
void balance_signs(std::span<double> alpha) {
  core::CompensatedSum positive, negative;
  for (const double a : alpha) (a > 0 ? positive : negative).add(std::abs(a));
  const double up = positive.value(), down = negative.value();
  for (double& a : alpha) {
    if (a > 0 && up > down) a *= down / up;
    if (a < 0 && down > up) a *= up / down;
  }
}

/// The least change of alpha that takes `move` off x~_j' alpha of each column; nearly so where columns are nearly
/// equal.
void step_back(const Sample& sample, const std::vector<std::vector<double>>& columns, std::vector<double> move,
               std::span<double> alpha) {
  Triangle products;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    auto& row = products.emplace_back();
    for (std::size_t b = 0; b <= a; ++b) row.push_back(inner_product(columns[a], columns[b]));
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

}  // namespace

std::vector<double> fitted(const Sample& sample, const ProofPoint& point) {
  std::vector<double> slopes;
  core::CompensatedSum shift;
  for (std::size_t c = 0; c < point.support.size(); ++c) {
    slopes.push_back(point.values[c] * sample.scale(point.support[c]));
    add_product(shift, -slopes.back(), sample.mean(point.support[c]));
  }
  return sample.linear(shift.value(), point.support, slopes);
}

double standardised_dot(const Sample& sample, Index j, std::span<const double> v, double sum_v) {
  if (sample.scale(j) == 0) return 0;
  return (sample.dot(j, v) - sample.mean(j) * sum_v) * sample.scale(j);
}

void approach_domain(const Sample& sample, std::span<const Choice> choices, std::span<double> alpha) {
  constexpr std::size_t most_held = 300;
  constexpr int most_rounds = 10;
  const double lambda1 = sample.settings().lambda1;
  std::vector<Index> held;
  std::vector<std::vector<double>> columns;  // of norm 1
  std::vector<double> norms;
  for (int round = 0; round < most_rounds; ++round) {
    const double sum = sample.settings().intercept ? total(alpha) : 0;
    std::vector<double> move;  // of tau, for columns of norm 1
    const auto beyond = [&](Index j) {
      const double tau = standardised_dot(sample, j, alpha, sum);
      return tau - std::clamp(tau, -(1 - 1e-9) * lambda1, (1 - 1e-9) * lambda1);
    };
    for (std::size_t k = 0; k < held.size(); ++k) move.push_back(beyond(held[k]) / norms[k]);
    for (Index j = 0; j < sample.cols(); ++j) {
      if (choices[j] == Choice::Out || sample.scale(j) == 0 || std::count(held.begin(), held.end(), j) > 0) continue;
      const double excess = beyond(j);
      if (excess == 0 || !sample.coordinate(j).needs_scaling(-excess)) continue;
      held.push_back(j);
      columns.push_back(sample.weighted_column(j));
      norms.push_back(std::sqrt(inner_product(columns.back(), columns.back())));
      for (double& z : columns.back()) z /= norms.back();
      move.push_back(excess / norms.back());
    }
    if (held.size() > most_held || std::count(move.begin(), move.end(), 0.0) == std::ssize(move)) break;
    step_back(sample, columns, move, alpha);
  }
  make_feasible(sample, alpha);
}

std::vector<double> dual_vector(const Sample& sample, const ProofPoint& point) {
  auto alpha = fitted(sample, point);
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < alpha.size(); ++i)
          alpha[i] =
              sample.weights()[i] * loss.derivative(alpha[i] + point.intercept + sample.offset()[i], sample.y()[i]);
      },
      sample.loss());
  make_feasible(sample, alpha);
  return alpha;
}

}  // namespace ellzero::verify
