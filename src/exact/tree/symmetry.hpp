// Columns that are multiples of one another: of a group of them, only solutions that use its first ones need a look.
//
// If x~_a = f x~_b with |f| >= 1, and a solution uses b but not a, then b_b / f on a explains as much and costs no
// more: the same lambda0, and no larger |b|. So a comes before b in their group, and some best solution uses a prefix
// of each group. (7.4) In terms of a node: out sends the later ones out, in brings the earlier ones in.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "exact/node.hpp"
#include "problem/problem.hpp"

namespace ellzero::exact::tree {

/// Groups of features of which only the first ones need a look.
struct Symmetry {
  struct Place {
    std::size_t group;
    std::size_t rank;
  };
  std::vector<std::vector<Index>> groups = {};  ///< features by rank
  std::unordered_map<Index, Place> place = {};  ///< of each feature that is in a group

  [[nodiscard]] bool contains(Index j) const { return place.contains(j); }
  void add(std::vector<Index> group);
};

/// Finds the groups among features that have no bounds.
template <class L>
Symmetry find_symmetry(const problem::Problem<L>& problem, std::span<const Index> features);

/// The groups in terms of a problem whose feature k is rest[k].
Symmetry among(const Symmetry& whole, std::span<const Index> rest);

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

}  // namespace ellzero::exact::tree
