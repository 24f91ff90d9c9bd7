// Small random problems whose columns, targets or offset are far from 0 for their spread, and what printed coefficients
// cost there: quadruple precision, from the definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "ellzero/result.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero::oracle {

#ifdef __SIZEOF_FLOAT128__
__extension__ using Wide = __float128;
#else
using Wide = long double;  // where that has 113 bits
#endif

/// What is far from 0.
struct Far {
  bool x = false, y = false, offset = false;
  double least = 3, most = 12;  ///< decimal digits that the mean has more than the spread
};

/// Of any loss and penalty, weighted or not, standardised or not, with boxes or not. There is an intercept: without one
/// no constant can be told from a column's own.
inline SmallProblem far_problem(std::mt19937_64& rng, const Far& far, Index largest_p) {
  std::uniform_real_distribution<double> digits(far.least, far.most);
  std::normal_distribution<double> normal;
  SmallProblem s = random_problem(rng, largest_p);
  s.settings.intercept = true;
  s.settings.lambda2 = std::max(*s.settings.lambda2, 0.05);  // separable classes have a best model that is soon found
  const auto mean = [&] { return (rng() % 2 == 0 ? 1 : -1) * std::pow(10, digits(rng)); };
  const auto move = [&](std::span<double> values) {
    const double by = mean();
    for (double& v : values) v += by;
  };
  for (Index j = 0; j < s.p && far.x; ++j) move({s.x.data() + j * s.n, static_cast<std::size_t>(s.n)});
  if (far.y && s.settings.loss == "squared") move(s.y);
  if (far.offset) {
    s.offset.clear();
    for (Index i = 0; i < s.n; ++i) s.offset.push_back(0.5 * normal(rng));
    move(s.offset);
  }
  return s;
}

/// P of the numbers that a result states (1.1): no columns are centred, nothing is moved.
inline long double stated_objective(const SmallProblem& s, const PreciseEnumeration& standardised,
                                    const Result& result) {
  long double total = 0;
  for (Index i = 0; i < s.n; ++i) {
    const bool squared = s.settings.loss == "squared";
    // The largest numbers first: they cancel exactly.
    Wide u = static_cast<Wide>(result.intercept) - static_cast<Wide>(squared ? s.y[i] : 0);
    if (!s.offset.empty()) u += static_cast<Wide>(s.offset[i]);
    for (std::size_t c = 0; c < result.support.size(); ++c)
      u += static_cast<Wide>(result.coefficients[c]) * static_cast<Wide>(s.x[result.support[c] * s.n + i]);
    total += (s.weights.empty() ? 1 : s.weights[i]) *
             plain_loss<long double>(s.settings, static_cast<long double>(u), squared ? 0 : s.y[i]);
  }
  const auto in_model = [&](Index j) { return std::count(s.settings.always.begin(), s.settings.always.end(), j) > 0; };
  long double paid = static_cast<long double>(s.settings.always.size());
  for (std::size_t c = 0; c < result.support.size(); ++c) {
    const long double b = result.coefficients[c] / standardised.scale(result.support[c]);
    if (!in_model(result.support[c])) paid += 1;
    total += s.settings.lambda1 * std::abs(b) + *s.settings.lambda2 * b * b;
  }
  return total + paid * s.settings.lambda0.value_or(0);
}

/// The best objective of all, and for each feature the best with it and the best without.
struct Split {
  long double best = inf;
  std::vector<long double> with, without;
  bool converged = true;
};

inline Split best_with_and_without(const SmallProblem& s, const PreciseEnumeration& enumeration) {
  Split split;
  split.with.assign(static_cast<std::size_t>(s.p), inf);
  split.without = split.with;
  enumeration.for_each_support([&](std::uint64_t /*support*/, const auto& at) {
    split.best = std::min(split.best, at.objective);
    split.converged = at.converged;
    for (Index j = 0; j < s.p; ++j) {
      auto& side = at.beta[j] != 0 ? split.with[j] : split.without[j];
      side = std::min(side, at.objective);
    }
  });
  return split;
}

}  // namespace ellzero::oracle
