// The penalties of all coefficients: one Coordinate for all, or a table of the different ones when boxes differ.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "ellzero/dataset.hpp"
#include "penalty/coordinate.hpp"

namespace ellzero::penalty {

class Penalty {
 public:
  explicit Penalty(const Lambdas& lambdas)
      : lambdas_(lambdas),
        kinds_{Coordinate(lambdas)},
        in_model_{Coordinate(lambdas, {}, true)},
        may_need_scaling_(needs_scaling(kinds_[0])) {}

  /// `box_of(j)` and `always_in(j)` describe feature j; features alike share one Coordinate.
  template <class BoxOf, class AlwaysIn>
  Penalty(const Lambdas& lambdas, Index features, BoxOf box_of, AlwaysIn always_in) : lambdas_(lambdas) {
    Index always = 0;
    std::map<std::tuple<double, double, bool>, std::uint32_t> known;
    kind_of_.reserve(static_cast<std::size_t>(features));
    for (Index j = 0; j < features; ++j) {
      const Box box = box_of(j);
      const auto [place, is_new] =
          known.try_emplace({box.lo, box.hi, always_in(j)}, static_cast<std::uint32_t>(kinds_.size()));
      if (is_new) {
        kinds_.emplace_back(lambdas, box, always_in(j));
        in_model_.emplace_back(lambdas, box, true);
      }
      kind_of_.push_back(place->second);
      always += always_in(j) ? 1 : 0;
    }
    at_zero_ = lambdas.lambda0 * static_cast<double>(always);
    for (const Coordinate& kind : kinds_) may_need_scaling_ = may_need_scaling_ || needs_scaling(kind);
  }

  const Coordinate& operator[](Index j) const { return kinds_[kind_of_.empty() ? 0 : kind_of_[j]]; }
  /// The penalty of a feature that is in the model for certain: lambda0 is a constant, there is no jump.
  [[nodiscard]] const Coordinate& in_model(Index j) const { return in_model_[kind_of_.empty() ? 0 : kind_of_[j]]; }
  [[nodiscard]] const Lambdas& lambdas() const { return lambdas_; }

  /// sum_j g_j(0) = lambda0 |A|: what the always-in features cost whatever happens. It is also D(0), the least bound.
  [[nodiscard]] double at_zero() const { return at_zero_; }

  /// Whether some coefficient has a finite bound.
  [[nodiscard]] bool has_boxes() const {
    return std::any_of(kinds_.begin(), kinds_.end(),
                       [](const Coordinate& c) { return std::isfinite(c.reach(-1)) || std::isfinite(c.reach(+1)); });
  }

  /// Whether some q_j is infinite beyond lambda1                                                                 (3.8)
  [[nodiscard]] bool may_need_scaling() const { return may_need_scaling_; }

 private:
  static bool needs_scaling(const Coordinate& c) { return c.needs_scaling(-1) || c.needs_scaling(+1); }

  Lambdas lambdas_;
  std::vector<Coordinate> kinds_;
  std::vector<Coordinate> in_model_;
  std::vector<std::uint32_t> kind_of_;
  double at_zero_ = 0;
  bool may_need_scaling_ = false;
};

}  // namespace ellzero::penalty
