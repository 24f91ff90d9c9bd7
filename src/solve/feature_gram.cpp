// The products of feature_gram.hpp.
#include "solve/feature_gram.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

namespace ellzero::solve {

void FeatureGram::measure_by(std::span<const double> h) {
  if (std::equal(h.begin(), h.end(), h_.begin(), h_.end())) return;
  forget();
  h_.assign(h.begin(), h.end());
  sum_h_ = std::accumulate(h_.begin(), h_.end(), 0.0);
}

void FeatureGram::know(std::span<const Index> features, core::Stop& stop) {
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

double FeatureGram::dot(Index j, std::span<const double> v, double sum) const {
  return active_.dot(place_[j], v) - active_.centre(place_[j]) * sum;
}

Index FeatureGram::most_columns() const {
  return std::min(most_products, most_entries / std::max<Index>(1, features_.rows()));
}

std::size_t FeatureGram::at(Index a, Index b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::size_t>(high * (high + 1) / 2 + low);
}

bool FeatureGram::multiply(Index known, core::Stop& stop) {
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

void FeatureGram::forget() {
  for (const Index j : columns_) place_[j] = -1;
  columns_.clear();
  x_h_.clear();
  packed_.clear();
  active_ = features_.gather({});
}

}  // namespace ellzero::solve
