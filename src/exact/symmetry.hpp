// Columns that are multiples of one another: of a group of them, only solutions that use its first ones need a look.
//
// If x~_a = f x~_b with |f| >= 1, and a solution uses b but not a, then b_b / f on a explains as much and costs no
// more: the same lambda0, and no larger |b|. So a comes before b in their group, and some best solution uses a prefix
// of each group. (7.4) In terms of a node: out sends the later ones out, in brings the earlier ones in.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exact/node.hpp"
#include "problem/problem.hpp"

namespace ellzero::exact {

/// Groups of features of which only the first ones need a look.
struct Symmetry {
  struct Place {
    std::size_t group;
    std::size_t rank;
  };
  std::vector<std::vector<Index>> groups = {};  ///< features by rank
  std::unordered_map<Index, Place> place = {};  ///< of each feature that is in a group

  [[nodiscard]] bool contains(Index j) const { return place.contains(j); }
  void add(std::vector<Index> group) {
    for (std::size_t rank = 0; rank < group.size(); ++rank) place[group[rank]] = {groups.size(), rank};
    groups.push_back(std::move(group));
  }
};

/// Finds the groups among features that have no bounds.
template <class L>
Symmetry find_symmetry(const problem::Problem<L>& problem, std::span<const Index> features) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::vector<double> v(static_cast<std::size_t>(problem.features.rows()));
  std::mt19937_64 rng(1);  // products with any vector tell columns apart, before they are compared in full
  for (double& vi : v) vi = 0.5 + 0x1p-53 * static_cast<double>(rng() >> 11);
  std::vector<double> product(static_cast<std::size_t>(problem.features.cols()));
  (void)problem.features.sweep(v, std::accumulate(v.begin(), v.end(), 0.0), features::StoreAll{product});
  std::vector<std::pair<double, Index>> order;
  for (const Index j : features)
    if (problem.penalty[j].reach(1) == inf && problem.penalty[j].reach(-1) == inf)
      order.emplace_back(std::abs(product[j]) / problem.features.norm(j), j);
  std::sort(order.begin(), order.end());
  Symmetry result;
  for (std::size_t first = 0; first < order.size(); ++first) {
    const Index leader = order[first].second;
    if (result.contains(leader)) continue;
    const double near = order[first].first * (1 + 1e-9);
    std::vector<std::pair<double, Index>> members;  // the longest first, then by index
    for (std::size_t k = first + 1; k < order.size() && order[k].first <= near; ++k) {
      const Index j = order[k].second;
      const auto entries = problem.features.multiples(leader, j);
      if (!entries || result.contains(j)) continue;
      if (members.empty()) members.emplace_back(-std::abs(entries->first), leader);
      members.emplace_back(-std::abs(entries->second), j);
    }
    if (members.empty()) continue;
    std::sort(members.begin(), members.end());
    std::vector<Index> group;
    for (const auto& member : members) group.push_back(member.second);
    result.add(std::move(group));
  }
  return result;
}

/// The groups in terms of a problem whose feature k is rest[k].
inline Symmetry among(const Symmetry& whole, std::span<const Index> rest) {
  std::unordered_map<Index, Index> renamed;
  for (std::size_t k = 0; k < rest.size(); ++k) renamed.emplace(rest[k], static_cast<Index>(k));
  Symmetry result;
  for (const auto& group : whole.groups) {
    std::vector<Index> left;
    for (const Index j : group)
      if (const auto at = renamed.find(j); at != renamed.end()) left.push_back(at->second);
    if (left.size() > 1) result.add(std::move(left));
  }
  return result;
}

/// The groups of a subtree, whose relaxation gives features places.
template <class R>
class GroupPlaces {
 public:
  GroupPlaces(const R& relaxation, const Symmetry* symmetry) : relaxation_(relaxation), symmetry_(symmetry) {}

  /// To be called when features have got places.
  void find_places() {
    for (Index i = 0; symmetry_ != nullptr && i < relaxation_.size(); ++i)
      if (const Index j = relaxation_.feature(i); symmetry_->contains(j)) places_[j] = i;
  }

  /// Out sends the later ones of a feature's group out, in brings the earlier ones in; changed(place) for each of them.
  template <class Changed>
  void follow(std::vector<Fix>& fixes, Index i, Changed changed) const {
    const auto* const own = in_group(i);
    if (own == nullptr) return;
    const auto& group = symmetry_->groups[own->group];
    const bool out = fixes[i] == Fix::Out;
    for (std::size_t rank = out ? own->rank + 1 : 0; rank < (out ? group.size() : own->rank); ++rank)
      if (const Index l = free_place(fixes, group[rank]); l >= 0) {
        fixes[l] = fixes[i];
        changed(l);
      }
  }

  /// The first of the group of a free feature: deciding about it decides most.
  [[nodiscard]] Index first_free(const std::vector<Fix>& fixes, Index i) const {
    const auto* const own = in_group(i);
    for (std::size_t rank = 0; own != nullptr && rank < own->rank; ++rank)
      if (const Index l = free_place(fixes, symmetry_->groups[own->group][rank]); l >= 0) return l;
    return i;
  }

 private:
  [[nodiscard]] const Symmetry::Place* in_group(Index i) const {
    if (symmetry_ == nullptr) return nullptr;
    const auto at = symmetry_->place.find(relaxation_.feature(i));
    return at == symmetry_->place.end() ? nullptr : &at->second;
  }

  /// Of a feature that is free and has a place; otherwise -1.
  [[nodiscard]] Index free_place(const std::vector<Fix>& fixes, Index j) const {
    const auto at = places_.find(j);
    const bool there = at != places_.end() && at->second < static_cast<Index>(fixes.size());
    return there && fixes[at->second] == Fix::Free ? at->second : -1;
  }

  const R& relaxation_;
  const Symmetry* symmetry_;
  std::unordered_map<Index, Index> places_;  // of the features that are in groups
};

}  // namespace ellzero::exact
