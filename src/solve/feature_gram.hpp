// Inner products of features in the metric of a loss's curvature, kept for whoever asks for them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "features/view.hpp"
#include "solve/gram.hpp"

namespace ellzero::solve {

/// Searches of one problem ask for much the same features again and again, and so do those at other prices. A product
/// has the same bits whoever asks first.
class FeatureGram {
 public:
  explicit FeatureGram(const features::View& features) : features_(features), active_(features.gather({})) {}

  /// Products are sums over the rows with these weights. For other weights than before all are made anew.
  void measure_by(std::span<const double> h);

  /// Makes the products of these features with one another known, unless it is time to stop.
  void know(std::span<const Index> features, core::Stop& stop);

  /// Of two features that are known.
  [[nodiscard]] double operator()(Index i, Index j) const { return packed_[at(place_[i], place_[j])]; }

  /// sum_i h_i x~_ij
  [[nodiscard]] double mean(Index j) const { return x_h_[place_[j]] - active_.centre(place_[j]) * sum_h_; }
  [[nodiscard]] double total() const { return sum_h_; }

  /// x~_j' v of a feature that is known; v sums to `sum`.
  [[nodiscard]] double dot(Index j, std::span<const double> v, double sum) const;

 private:
  static constexpr Index most_products = 4000;
  static constexpr Index most_entries = Index{1} << 24;

  /// How many columns, copied, and their products are kept; more where one question needs more.
  [[nodiscard]] Index most_columns() const;

  /// Where the product of two places is in the packed triangle.
  [[nodiscard]] static std::size_t at(Index a, Index b);

  /// All products with places from `known` on. The later feature of two is the one that is multiplied by h, whichever
  /// came first. False if it was time to stop.
  bool multiply(Index known, core::Stop& stop);

  void forget();

  const features::View& features_;
  features::ActiveMatrix active_;
  std::vector<double> h_, x_h_;  // x_h: per place, stored entries times h
  double sum_h_ = 0;
  std::vector<std::int32_t> place_;  // per feature, among the copied columns; -1: not one of them
  std::vector<Index> columns_;       // per place its feature
  std::vector<double> packed_;       // products of places: a triangle
  std::vector<double> work_;         // all 0 between uses
};

}  // namespace ellzero::solve
