// Small random problems that rounding makes hard: columns of all scales, collinear ones, large means, little ridge or
// none.
#pragma once

#include <cmath>
#include <random>

#include "oracle/small_problem.hpp"

namespace ellzero::oracle {

inline SmallProblem hard_problem(std::mt19937_64& rng, Index largest_p) {
  SmallProblem s = random_problem(rng, largest_p);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const auto coin = [&](double chance) { return uniform(rng) < chance; };
  const auto any_scale = [&](double decades) { return std::pow(10, decades * (2 * uniform(rng) - 1)); };
  if (s.p > 2 && coin(0.3)) {  // nearly, or exactly, a combination of two others
    const double off = coin(0.5) ? 0 : 1e-5;
    for (Index i = 0; i < s.n; ++i) s.x[i] = s.x[s.n + i] + s.x[2 * s.n + i] + off * normal(rng);
  }
  if (coin(0.2))
    for (Index j = 0; j < s.p; ++j) {
      const double mean = any_scale(2);
      for (Index i = 0; i < s.n; ++i) s.x[j * s.n + i] += mean;
    }
  if (coin(0.4))
    for (Index j = 0; j < s.p; ++j) {
      const double scale = any_scale(6);
      for (Index i = 0; i < s.n; ++i) s.x[j * s.n + i] *= scale;
      for (auto* bounds : {&s.settings.lower, &s.settings.upper})
        if (bounds->size() > 1) (*bounds)[static_cast<std::size_t>(j)] /= scale;
    }
  if (coin(0.4)) s.settings.lambda2 = coin(0.5) ? 0 : 1e-5;
  if (s.settings.loss == "squared" && coin(0.2))
    for (double& y : s.y) y += 100;
  return s;
}

}  // namespace ellzero::oracle
