// Folds of cross-validation: every sample is left out once, classes are spread evenly, and only the seed decides.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ellzero/dataset.hpp"
#include "ellzero/error.hpp"

namespace ellzero::select {

/// splitmix64: a number of a counter, the same on every machine.
inline std::uint64_t scrambled(std::uint64_t counter) {
  counter += 0x9e3779b97f4a7c15u;
  counter = (counter ^ (counter >> 30)) * 0xbf58476d1ce4e5b9u;
  counter = (counter ^ (counter >> 27)) * 0x94d049bb133111ebu;
  return counter ^ (counter >> 31);
}

/// The samples of positive weight, one list for each class of y in ascending order, or one list of all.
inline std::vector<std::vector<Index>> strata(std::span<const double> y, std::span<const double> weights,
                                              bool by_class) {
  std::vector<double> classes;
  std::vector<std::vector<Index>> members;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (weights[i] == 0) continue;
    const double label = by_class ? y[i] : 0;
    const auto place = std::lower_bound(classes.begin(), classes.end(), label) - classes.begin();
    if (place == std::ssize(classes) || classes[place] != label) {
      classes.insert(classes.begin() + place, label);
      members.emplace(members.begin() + place);
    }
    members[place].push_back(static_cast<Index>(i));
  }
  return members;
}

/// So many samples that luck in dealing them decides little: fewer folds, dealt once, do.
inline bool are_many(Index samples) {
  constexpr Index many = 2000;
  return samples >= many;
}

/// How many folds there are: as many as wanted, or a usual number of them where the samples allow it. Throws Error
/// where a fold would be empty, or a class too small: `per_fold` tells that every fold must have both.
inline int count_folds(const std::vector<std::vector<Index>>& members, std::span<const double> y,
                       const std::optional<Index>& wanted, bool per_fold, std::string_view metric) {
  Index samples = 0, smallest = std::numeric_limits<Index>::max();
  for (const auto& list : members) {
    samples += std::ssize(list);
    smallest = std::min(smallest, std::ssize(list));
  }
  const Index usual = are_many(samples) ? 5 : 10;
  if (samples < 2)
    throw Error(ErrorCode::Data, fmt::format("X: {} of positive weight; expected at least 2 samples for "
                                             "cross-validation, or lambda0, k or a criterion",
                                             samples));
  const Index folds = wanted.value_or(std::max<Index>(2, std::min({usual, samples, per_fold ? smallest : usual})));
  if (folds > samples)
    throw Error(ErrorCode::Usage, fmt::format("folds: value is {}; expected 2 to {}, the number of samples of "
                                              "positive weight",
                                              folds, samples));
  if (members.size() == 1) return static_cast<int>(folds);
  for (const auto& list : members) {
    if (list.size() < 2)
      throw Error(ErrorCode::Data, fmt::format("y: class {} has 1 sample; expected at least 2 for cross-validation, "
                                               "which leaves it out once",
                                               y[list[0]]));
    if (per_fold && std::ssize(list) < folds)
      throw Error(ErrorCode::Usage, fmt::format("folds: value is {}; expected at most {}, the number of samples of "
                                                "class {}: {} needs both classes in every fold",
                                                folds, list.size(), y[list[0]], metric));
  }
  return static_cast<int>(folds);
}

/// The fold of each of n samples, -1 for those in no list. Each list is shuffled and dealt in turn, the next where the
/// one before ended: sizes differ by 1 at most, those of a class as well, and no fold has all of a class of two or
/// more.
inline std::vector<int> deal(const std::vector<std::vector<Index>>& members, std::size_t n, int folds,
                             std::uint64_t seed, std::uint64_t repeat) {
  std::vector<int> fold(n, -1);
  const std::uint64_t key = scrambled(scrambled(seed) + repeat);
  int next = 0;
  for (const auto& list : members) {
    std::vector<std::pair<std::uint64_t, Index>> order;
    order.reserve(list.size());
    for (const Index i : list) order.emplace_back(scrambled(key + static_cast<std::uint64_t>(i)), i);
    std::sort(order.begin(), order.end());
    for (const auto& [ticket, i] : order) fold[i] = std::exchange(next, (next + 1) % folds);
  }
  return fold;
}

}  // namespace ellzero::select
