// The penalties of all coefficients: one Coordinate for all, or a table of the different ones when boxes differ.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "ellzero/dataset.hpp"
#include "penalty/coordinate.hpp"

namespace ellzero::penalty {

class Penalty {
  struct Kind {
    Box box = {};
    bool always_in = false;
  };

 public:
  explicit Penalty(const Lambdas& lambdas) : Penalty(lambdas, {Kind{}}, {}) {}

  /// `box_of(j)` and `always_in(j)` describe feature j; features alike share one Coordinate.
  template <class BoxOf, class AlwaysIn>
  Penalty(const Lambdas& lambdas, Index features, BoxOf box_of, AlwaysIn always_in) {
    std::vector<Kind> kinds;
    std::vector<std::uint32_t> kind_of;
    std::map<std::tuple<double, double, bool>, std::uint32_t> known;
    kind_of.reserve(static_cast<std::size_t>(features));
    for (Index j = 0; j < features; ++j) {
      const Kind kind{box_of(j), always_in(j)};
      const auto [place, is_new] =
          known.try_emplace({kind.box.lo, kind.box.hi, kind.always_in}, static_cast<std::uint32_t>(kinds.size()));
      if (is_new) kinds.push_back(kind);
      kind_of.push_back(place->second);
    }
    *this = Penalty(lambdas, std::move(kinds), std::move(kind_of));
  }

  /// The same boxes and always-in features at other prices.
  [[nodiscard]] Penalty with(const Lambdas& lambdas) const { return Penalty(lambdas, kinds_, kind_of_); }

  /// The same prices with features decided: `in` pay lambda0 whatever happens, `out` stay at 0.
  [[nodiscard]] Penalty decided(std::span<const Index> in, std::span<const Index> out, Index features) const {
    auto kinds = kinds_;
    const auto count = static_cast<std::uint32_t>(kinds_.size());
    for (std::uint32_t kind = 0; kind < count; ++kind) kinds.push_back({kinds_[kind].box, true});
    kinds.push_back({Box{0, 0}, false});
    auto kind_of = kind_of_;
    kind_of.resize(static_cast<std::size_t>(features), 0);
    for (const Index j : in) kind_of[j] = kind_of[j] % count + count;
    for (const Index j : out) kind_of[j] = 2 * count;
    return Penalty(lambdas_, std::move(kinds), std::move(kind_of));
  }

  const Coordinate& operator[](Index j) const { return coordinates_[kind_of_.empty() ? 0 : kind_of_[j]]; }
  /// The penalty of a feature that is in the model for certain: lambda0 is a constant, there is no jump.
  [[nodiscard]] const Coordinate& in_model(Index j) const { return in_model_[kind_of_.empty() ? 0 : kind_of_[j]]; }
  [[nodiscard]] const Lambdas& lambdas() const { return lambdas_; }

  /// sum_j g_j(0) = lambda0 |A|: what the always-in features cost whatever happens. It is also D(0), the least bound.
  [[nodiscard]] double at_zero() const { return lambdas_.lambda0 * static_cast<double>(always_); }
  [[nodiscard]] Index always_in_count() const { return always_; }
  [[nodiscard]] bool always_in(Index j) const { return !kind_of_.empty() && kinds_[kind_of_[j]].always_in; }

  /// Whether some coefficient has a finite bound.
  [[nodiscard]] bool has_boxes() const {
    return std::any_of(kinds_.begin(), kinds_.end(),
                       [](const Kind& kind) { return std::isfinite(kind.box.lo) || std::isfinite(kind.box.hi); });
  }

  /// Whether some q_j is infinite beyond lambda1                                                                 (3.8)
  [[nodiscard]] bool may_need_scaling() const { return may_need_scaling_; }

 private:
  Penalty(const Lambdas& lambdas, std::vector<Kind> kinds, std::vector<std::uint32_t> kind_of)
      : lambdas_(lambdas), kinds_(std::move(kinds)), kind_of_(std::move(kind_of)) {
    for (const Kind& kind : kinds_) {
      coordinates_.emplace_back(lambdas, kind.box, kind.always_in);
      in_model_.emplace_back(lambdas, kind.box, true);
      may_need_scaling_ =
          may_need_scaling_ || coordinates_.back().needs_scaling(-1) || coordinates_.back().needs_scaling(+1);
    }
    for (const std::uint32_t kind : kind_of_) always_ += kinds_[kind].always_in ? 1 : 0;
  }

  Lambdas lambdas_;
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> kind_of_;  // empty: all features are of the one kind
  std::vector<Coordinate> coordinates_, in_model_;
  Index always_ = 0;
  bool may_need_scaling_ = false;
};

}  // namespace ellzero::penalty
