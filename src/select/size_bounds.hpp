// What the bounds of several prices and budgets say about models of one size.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/rounding.hpp"
#include "ellzero/dataset.hpp"

namespace ellzero::select {

/// Lower bounds of the loss of every model of a size, always-in features counted, where nothing is shrunk.
class SizeBounds {
 public:
  /// P + lambda0 |b|_0 is nowhere below `bound`.
  void at_price(double lambda0, double bound) { prices_.emplace_back(lambda0, bound); }

  /// No model of at most `size` features has a loss below `bound`.
  void up_to(Index size, double bound) { budgets_.emplace_back(size, bound); }

  [[nodiscard]] double of(Index size) const {
    double best = 0;  // no loss is negative
    for (const auto& [lambda0, bound] : prices_) {
      const double cost = lambda0 * static_cast<double>(size);
      best = std::max(best, bound - cost - 4 * core::unit_roundoff * (std::abs(bound) + cost));  // (15.1)
    }
    for (const auto& [k, bound] : budgets_)
      if (size <= k) best = std::max(best, bound);
    return best;
  }

 private:
  std::vector<std::pair<double, double>> prices_;
  std::vector<std::pair<Index, double>> budgets_;
};

}  // namespace ellzero::select
