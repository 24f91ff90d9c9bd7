// Inner products of features in the metric of a loss's curvature, kept for whoever asks for them again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>
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
  void measure_by(std::span<const double> h) {
    if (std::equal(h.begin(), h.end(), h_.begin(), h_.end())) return;
    forget();
    h_.assign(h.begin(), h.end());
    sum_h_ = std::accumulate(h_.begin(), h_.end(), 0.0);
  }

  /// Makes the products of these features with one another known, unless it is time to stop.
  void know(std::span<const Index> features, core::Stop& stop) {
    place_.resize(static_cast<std::size_t>(features_.cols()), -1);
    std::vector<Index> added;
    std::copy_if(features.begin(), features.end(), std::back_inserter(added), [&](Index j) { return place_[j] < 0; });
    if (active_.cols() + std::ssize(added) > std::max(most_columns(), std::ssize(features))) {
      forget();
      added.assign(features.begin(), features.end());
    }
    const Index known = active_.cols();
    active_.append(features_.gather(added));
    for (const Index j : added) {
      place_[j] = static_cast<std::int32_t>(columns_.size());
      columns_.push_back(j);
      x_h_.push_back(active_.dot(place_[j], h_));
    }
    if (!multiply(known, stop)) forget();
  }

  /// Of two features that are known.
  [[nodiscard]] double operator()(Index i, Index j) const { return packed_[at(place_[i], place_[j])]; }

  /// sum_i h_i x~_ij
  [[nodiscard]] double mean(Index j) const { return x_h_[place_[j]] - active_.centre(place_[j]) * sum_h_; }
  [[nodiscard]] double total() const { return sum_h_; }

  /// x~_j' v of a feature that is known; v sums to `sum`.
  [[nodiscard]] double dot(Index j, std::span<const double> v, double sum) const {
    return active_.dot(place_[j], v) - active_.centre(place_[j]) * sum;
  }

 private:
  static constexpr Index most_products = 4000;
  static constexpr Index most_entries = Index{1} << 24;

  /// How many columns, copied, and their products are kept; more where one question needs more.
  [[nodiscard]] Index most_columns() const {
    return std::min(most_products, most_entries / std::max<Index>(1, features_.rows()));
  }

  /// Where the product of two places is in the packed triangle.
  [[nodiscard]] static std::size_t at(Index a, Index b) {
    const auto [low, high] = std::minmax(a, b);
    return static_cast<std::size_t>(high * (high + 1) / 2 + low);
  }

  /// All products with places from `known` on. The later feature of two is the one that is multiplied by h, whichever
  /// came first. False if it was time to stop.
  bool multiply(Index known, core::Stop& stop) {
    const Index count = active_.cols();
    packed_.resize(at(count, 0));
    work_.resize(h_.size(), 0.0);
    std::vector<Index> partners;
    std::vector<double> row;
    for (Index c = 0; c < count && known < count; ++c) {
      if (stop.now()) return false;
      partners.clear();
      for (Index d = c < known ? known : 0; d < count; ++d)
        if (columns_[d] <= columns_[c]) partners.push_back(d);
      if (partners.empty()) continue;
      row.resize(partners.size());
      gram_row(active_, c, partners, {h_, sum_h_, x_h_}, work_, row);
      for (std::size_t k = 0; k < partners.size(); ++k) packed_[at(c, partners[k])] = row[k];
    }
    return true;
  }

  void forget() {
    for (const Index j : columns_) place_[j] = -1;
    columns_.clear();
    x_h_.clear();
    packed_.clear();
    active_ = features_.gather({});
  }

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
