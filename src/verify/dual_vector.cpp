// The two steps of (3.7): the loss's derivative, then a sum of 0.
#include "verify/dual_vector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "verify/exact_sums.hpp"

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

std::vector<double> dual_vector(const Sample& sample, const ProofPoint& point) {
  auto alpha = fitted(sample, point);
  std::visit(
      [&]<class L>(const L& loss) {
        for (std::size_t i = 0; i < alpha.size(); ++i) {
          const double u = alpha[i] + point.intercept + sample.offset()[i];
          alpha[i] = sample.weights()[i] * loss.project(loss.derivative(u, sample.y()[i]), sample.y()[i]);
        }
        if (!sample.settings().intercept) return;
        if constexpr (L::quadratic) subtract_mean(sample, alpha);
        else balance_signs(alpha);
        fold_sum(alpha);
      },
      sample.loss());
  return alpha;
}

}  // namespace ellzero::verify
