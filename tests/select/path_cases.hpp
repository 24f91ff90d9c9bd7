// Problems and grids that the tests of paths draw from, and the truth at every price from one enumeration.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ellzero/path.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {

using oracle::SmallProblem;

/// A few prices in no order, some twice, some 0.
inline std::vector<double> random_prices(std::mt19937_64& rng, int count) {
  std::normal_distribution<double> normal;
  std::vector<double> grid;
  for (int m = 0; m < count; ++m) {
    const auto draw = rng() % 8;
    grid.push_back(draw == 0 ? 0 : draw == 1 && m > 0 ? grid[rng() % grid.size()] : std::exp(1.5 * normal(rng) - 1));
  }
  return grid;
}

/// 40 x 120 with six features that matter, a few that nearly do, and all that a problem may have besides.
inline SmallProblem medium_problem(std::mt19937_64& rng, const std::string& loss) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  SmallProblem s;
  s.n = 40;
  s.p = 120;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index j = 1; j < s.p; ++j)  // neighbours are alike
    for (Index i = 0; i < s.n; ++i) s.x[j * s.n + i] = 0.6 * s.x[(j - 1) * s.n + i] + 0.8 * s.x[j * s.n + i];
  for (Index i = 0; i < s.n; ++i) {
    double signal = normal(rng);
    for (Index j = 0; j < 6; ++j) signal += (j % 2 == 0 ? 1 : -1) * s.x[j * 20 * s.n + i];
    const double low = loss == "logistic" ? 0 : -1;
    s.y.push_back(loss == "squared" ? signal + 3 : signal > 0 ? 1 : low);
  }
  if (rng() % 3 == 0)
    for (Index i = 0; i < s.n; ++i) s.weights.push_back(0.3 + uniform(rng));
  if (rng() % 3 == 0) s.settings.upper = {0.5 + uniform(rng)};
  if (rng() % 3 == 0) s.settings.lower = {-0.2 * uniform(rng)};
  if (rng() % 4 == 0) s.settings.always = {7};
  s.settings.loss = loss;
  s.settings.intercept = rng() % 2 == 0;
  s.settings.standardize = rng() % 2 == 0;
  s.settings.lambda1 = rng() % 2 == 0 ? 0 : 0.1 * uniform(rng);
  s.settings.lambda2 = rng() % 6 == 0 ? 0 : 0.5 * uniform(rng);
  s.settings.threads = 1;
  return s;
}

/// Squared loss with many features at hand for few samples, neighbours nearly alike, some of them twice, and little
/// ridge: relaxations are hard to solve, and not all have but one solution.
inline SmallProblem tangled_problem(std::mt19937_64& rng) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  SmallProblem s;
  s.n = 40 + static_cast<Index>(rng() % 80);
  s.p = 100 + static_cast<Index>(rng() % 200);
  const double alike = 0.95 * uniform(rng);
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index j = 1; j < s.p; ++j)
    for (Index i = 0; i < s.n; ++i) {
      double& x = s.x[j * s.n + i];
      x = j % 7 == 5 && s.p % 4 == 0 ? s.x[(j - 1) * s.n + i]
                                     : alike * s.x[(j - 1) * s.n + i] + std::sqrt(1 - alike * alike) * x;
    }
  for (Index i = 0; i < s.n; ++i) {
    double signal = 2 * uniform(rng) * normal(rng);
    for (Index j = 0; j < 8; ++j) signal += (j % 2 == 0 ? 1 : -1) * s.x[j * 12 * s.n + i];
    s.y.push_back(signal);
  }
  if (rng() % 3 == 0)
    for (Index i = 0; i < s.n; ++i) s.weights.push_back(0.3 + uniform(rng));
  s.settings.intercept = rng() % 2 == 0;
  s.settings.standardize = rng() % 2 == 0;
  s.settings.lambda1 = rng() % 2 == 0 ? 0 : 0.1 * uniform(rng);
  s.settings.lambda2 = std::pow(10, -4 + 3 * uniform(rng));
  s.settings.threads = 1;
  return s;
}

/// What every support costs without a price: the optimum at all prices, and within all budgets.
class Truth {
 public:
  explicit Truth(SmallProblem s) {
    s.settings.lambda0 = 0;
    s.settings.k.reset();
    oracle::Enumeration(s).for_each_support([&](std::uint64_t support, const auto& at) {
      models_.emplace_back(support, at.objective);
      converged_ = at.converged;
    });
  }

  [[nodiscard]] bool converged() const { return converged_; }

  /// The least P at a price over the supports that `wanted` says yes to.
  template <class Wanted>
  [[nodiscard]] double optimum(double lambda0, Wanted&& wanted) const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [support, base] : models_)
      if (wanted(support)) best = std::min(best, base + lambda0 * std::popcount(support));
    return best;
  }
  [[nodiscard]] double optimum(double lambda0) const {
    return optimum(lambda0, [](std::uint64_t /*support*/) { return true; });
  }
  [[nodiscard]] double within(Index k) const {
    return optimum(0, [&](std::uint64_t support) { return std::popcount(support) <= k; });
  }

  /// The smallest price at which no features but the fewest possible are worth theirs.
  [[nodiscard]] double highest_price() const {
    const auto fewest = std::min_element(models_.begin(), models_.end(), [](const auto& a, const auto& b) {
      return std::popcount(a.first) < std::popcount(b.first);
    });
    const int least = std::popcount(fewest->first);
    double price = 0;
    for (const auto& [support, base] : models_)
      if (std::popcount(support) > least)
        price = std::max(price, (fewest->second - base) / (std::popcount(support) - least));
    return price;
  }

 private:
  std::vector<std::pair<std::uint64_t, double>> models_;
  bool converged_ = true;
};

inline std::string describe(const SmallProblem& s) {
  return s.settings.loss + ", n " + std::to_string(s.n) + ", p " + std::to_string(s.p) + ", lambda1 " +
         std::to_string(s.settings.lambda1) + ", lambda2 " + std::to_string(*s.settings.lambda2) +
         (s.settings.intercept ? ", intercept" : "") + (s.settings.standardize ? ", standardised" : "") +
         (s.settings.lower.empty() && s.settings.upper.empty() ? "" : ", boxes") +
         (s.settings.always.empty() ? "" : ", always");
}

}  // namespace ellzero
