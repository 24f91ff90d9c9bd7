// Changes a proof as somebody would who wants a false one accepted: fields, records, the tree, floats at their edges.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "verify/records.hpp"

namespace ellzero::testing {

class Mutator {
 public:
  Mutator(std::mt19937_64& rng, Index columns) : rng_(rng), columns_(columns) {}

  /// One to three changes.
  void change(std::vector<Record>& list) {
    const int changes = 1 + static_cast<int>(below(3));
    for (int k = 0; k < changes && !list.empty(); ++k) {
      const std::size_t at = below(list.size());
      if (coin(0.15)) change_order(list, at);
      else std::visit([&](auto& record) { change_one(record); }, list[at]);
    }
  }

  /// The same number with another sign, scale, last digit, or none that makes sense.
  double other(double x) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const double edges[] = {0.0,     -0.0,  1e-320, 1e-300, 1e-17,   1e17,     1e60, -1e60, 1e99,        -1e100,
                            1.1e100, 1e154, 1e200,  1e300,  1.7e308, -1.7e308, inf,  -inf,  std::nan("")};
    switch (below(7)) {
      case 0:
        return edges[below(std::size(edges))];
      case 1:
        return -x;
      case 2:
        return std::nextafter(x, coin(0.5) ? inf : -inf);
      case 3:
        return x * (1 + std::normal_distribution<double>(0, 1e-9)(rng_));
      case 4:
        return x * std::exp(3 * normal());
      case 5:
        return x + normal();
      default:
        return x * (coin(0.5) ? 2 : 0.5);
    }
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(rng_() % count); }
  bool coin(double chance) { return std::uniform_real_distribution<double>()(rng_) < chance; }
  double normal() { return std::normal_distribution<double>()(rng_); }
  Index any_feature() { return coin(0.05) ? columns_ : coin(0.03) ? -1 : static_cast<Index>(rng_() % columns_); }

  void change_order(std::vector<Record>& list, std::size_t at) {
    switch (below(4)) {
      case 0:
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 1:
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(below(list.size())), Record(list[at]));
        return;
      case 2:
        std::swap(list[at], list[below(list.size())]);
        return;
      default:
        list.resize(at);
    }
  }

  /// An entry more, less, doubled, or of another feature.
  void change_features(std::vector<Index>& features, std::vector<double>* values) {
    const auto insert = [&](std::size_t at, Index j, double value) {
      features.insert(features.begin() + static_cast<std::ptrdiff_t>(at), j);
      if (values != nullptr) values->insert(values->begin() + static_cast<std::ptrdiff_t>(at), value);
    };
    if (features.empty()) return insert(0, any_feature(), normal());
    const std::size_t at = below(features.size());
    const double value = values != nullptr && at < values->size() ? (*values)[at] : normal();
    switch (below(5)) {
      case 0:  // again
        return insert(at + 1, features[at], value);
      case 1: {  // in its place
        const Index j = any_feature();
        const auto place =
            static_cast<std::size_t>(std::lower_bound(features.begin(), features.end(), j) - features.begin());
        return insert(std::min(place, values != nullptr ? values->size() : features.size()), j, normal());
      }
      case 2:
        features.erase(features.begin() + static_cast<std::ptrdiff_t>(at));
        if (values != nullptr && at < values->size()) values->erase(values->begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 3:
        features[at] = any_feature();
        return;
      default:
        std::swap(features[at], features[below(features.size())]);
    }
  }

  void change_value(std::vector<double>& values) {
    if (values.empty()) return;
    double& value = values[below(values.size())];
    value = other(value);
  }

  void change_one(PointRecord& p) {
    switch (below(9)) {
      case 0:
        return change_features(p.support, &p.values);
      case 1:
      case 2:
        return change_value(p.values);
      case 3:
        p.intercept = other(p.intercept);
        return;
      case 4:
        return change_features(p.in, nullptr);
      case 5:
        return change_features(p.out, nullptr);
      case 6:
        if (coin(0.5)) std::swap(p.in, p.out);
        else p.closes = !p.closes;
        return;
      case 7:
        p.node = static_cast<std::int64_t>(below(static_cast<std::size_t>(p.node) + 3));
        return;
      default:
        p.diagonal = static_cast<std::int64_t>(below(3)) - 1;
    }
  }

  void change_one(SplitRecord& s) {
    switch (below(4)) {
      case 0:
        s.feature = any_feature();
        return;
      case 1:
        s.node = static_cast<std::int64_t>(below(static_cast<std::size_t>(s.node) + 3));
        return;
      case 2:
        std::swap(s.in_node, s.out_node);
        return;
      default:
        (coin(0.5) ? s.in_node : s.out_node) = static_cast<std::int64_t>(below(5));
    }
  }

  void change_one(DiagonalRecord& d) {
    switch (below(4)) {
      case 0:
        return change_features(d.features, &d.d);
      case 1:
        for (double& value : d.d) value *= 1 + 0.3 * std::abs(normal());
        return;
      case 2:
        d.number = static_cast<std::int64_t>(below(3));
        return;
      default:
        return change_value(d.d);
    }
  }

  std::mt19937_64& rng_;
  Index columns_;
};

}  // namespace ellzero::testing
