// The lines P(S; lambda0) = base(S) + lambda0 |S| that the models of a path are, and the prices at which they cross.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "ellzero/dataset.hpp"
#include "select/sample_count.hpp"

namespace ellzero::select {

/// What a support costs at any price                                                                            (1.4)
struct Line {
  double base = 0;  ///< at price 0
  Index size = 0;   ///< features, always-in ones included

  [[nodiscard]] double at(double lambda0) const { return base + lambda0 * static_cast<double>(size); }
};

/// The price at which two lines of different sizes cost the same                                                (1.5)
inline double crossing(const Line& a, const Line& b) {
  return (a.base - b.base) / static_cast<double>(b.size - a.size);
}

/// Just below a price at which the solution changes, so that it has changed; and just above it.
inline double just_below(double lambda0) { return lambda0 * (1 - 1e-6); }
inline double just_above(double lambda0) { return lambda0 * (1 + 1e-6); }

/// How a grid is made from the data.
struct MadeGrid {
  int values = 100;         ///< at most
  Index most_nonzeros = 0;  ///< the path ends at the first model with more features

  /// The largest share of a price that the next one may be: half of the values would reach a thousandth of the first.
  [[nodiscard]] double ratio() const { return std::pow(1e-3, 2.0 / std::max(2, values)); }
};

/// Features that a path with a grid made from the data has at most, unless told otherwise: half as many as samples, as
/// more say little about a next sample, and no more than a search handles in a moment.
inline Index sensible_nonzeros(std::span<const double> weights, Index p) {
  constexpr double most = 100;
  return std::min(p, static_cast<Index>(std::clamp(sample_count(weights) / 2, 1.0, most)));
}

/// Where the next value of a grid tells most: at the crossing of those neighbours whose sizes differ most. 0 where no
/// neighbours are left between which another model could lie. `prices` descend, `lines` belong to them.
inline double widest_crossing(std::span<const double> prices, std::span<const Line> lines, Index most_nonzeros) {
  constexpr double apart = 1e-5;
  double best = 0;
  Index widest = 1;
  for (std::size_t i = 0; i + 1 < prices.size() && lines[i].size <= most_nonzeros; ++i) {
    const Index jump = lines[i + 1].size - lines[i].size;
    if (jump <= widest) continue;
    const double price = just_below(crossing(lines[i], lines[i + 1]));
    if (!(price < prices[i] * (1 - apart) && price > prices[i + 1] * (1 + apart))) continue;  // nothing in between
    widest = jump;
    best = price;
  }
  return best;
}

/// Positions that are not on the lower convex hull of (k, value[k]): no price has its best model there.          (1.5)
inline std::vector<Index> off_hull(std::span<const double> value) {
  std::vector<Index> hull, off;
  const auto gain = [&](Index from, Index to) {  // of each feature more
    return (value[from] - value[to]) / static_cast<double>(to - from);
  };
  for (Index k = 0; k < static_cast<Index>(value.size()); ++k) {
    // A model that is no better than one with fewer features is the best at no price.
    if (!hull.empty() && !(gain(hull.back(), k) > 0)) {
      off.push_back(k);
      continue;
    }
    while (hull.size() >= 2 && gain(hull[hull.size() - 2], k) < gain(hull.back(), k)) {
      off.push_back(hull.back());
      hull.pop_back();
    }
    hull.push_back(k);
  }
  std::sort(off.begin(), off.end());
  return off;
}

}  // namespace ellzero::select
