// Claims and hand-made proofs for the tests of the verifier.
#pragma once

#include <cstdint>
#include <vector>

#include "ellzero/ellzero.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero::testing {

using oracle::SmallProblem;

/// The best coefficients that use features of `in` only, in the solver's units: a point for a proof.
struct Point {
  double intercept = 0;
  std::vector<Index> support;
  std::vector<double> values;

  [[nodiscard]] ProofPoint at(std::int64_t node) const { return {node, intercept, support, values, {}, {}}; }
};

inline Point best_within(const SmallProblem& s, std::uint64_t in) {
  Settings settings = s.settings;
  settings.k.reset();
  settings.lambda0 = 0;  // what is left is convex
  settings.always.clear();
  settings.gap = 0;
  const auto widened = [&](std::vector<double>& bounds, double none) {
    if (bounds.size() <= 1) bounds.assign(static_cast<std::size_t>(s.p), bounds.empty() ? none : bounds[0]);
    for (Index j = 0; j < s.p; ++j)
      if ((in >> j & 1) == 0) bounds[j] = 0;
  };
  widened(settings.lower, -oracle::inf);
  widened(settings.upper, oracle::inf);
  const Result result = fit(s.dataset(), settings);
  const oracle::Enumeration units(s);
  Point point{result.intercept, result.support, {}};
  for (std::size_t c = 0; c < result.support.size(); ++c) {
    const Index j = result.support[c];
    point.values.push_back(result.coefficients[c] / units.scale(j));
    double mean = 0, total = 0;
    for (Index i = 0; i < s.n; ++i) {
      const double w = s.weights.empty() ? 1 : s.weights[i];
      mean += w * s.x[j * s.n + i];
      total += w;
    }
    if (s.settings.intercept) point.intercept += result.coefficients[c] * mean / total;
  }
  return point;
}

/// Features that a proof must not decide: always in, or constant.
inline bool is_decided(const SmallProblem& s, Index j) {
  const auto& always = s.settings.always;
  return std::count(always.begin(), always.end(), j) > 0 || oracle::Enumeration(s).scale(j) == 0;
}

/// Splits on every feature and closes every leaf with its own optimum: a proof of exactly the optimum. Calls
/// close(point) for each leaf.
template <class Close>
void enumerate_leaves(const SmallProblem& s, ProofSink& sink, Close&& close) {
  std::int64_t next = 1;
  const auto go = [&](const auto& self, std::int64_t node, Index j, std::uint64_t in) -> void {
    if (j == s.p) {
      auto leaf = best_within(s, in);
      auto point = leaf.at(node);
      point.closes = true;
      return close(point);
    }
    if (is_decided(s, j)) return self(self, node, j + 1, in | std::uint64_t{1} << j);
    const std::int64_t with = next, without = next + 1;
    next += 2;
    sink.on_split(node, j, with, without);
    self(self, with, j + 1, in | std::uint64_t{1} << j);
    self(self, without, j + 1, in);
  };
  go(go, 0, 0, 0);
}

}  // namespace ellzero::testing
