// The search for multiples.
#include "exact/tree/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::exact::tree {

void Symmetry::add(std::vector<Index> group) {
  for (std::size_t rank = 0; rank < group.size(); ++rank) place[group[rank]] = {groups.size(), rank};
  groups.push_back(std::move(group));
}

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
    group.reserve(members.size());
    for (const auto& member : members) group.push_back(member.second);
    result.add(std::move(group));
  }
  return result;
}

Symmetry among(const Symmetry& whole, std::span<const Index> rest) {
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

#define INSTANTIATE(L) \
  template Symmetry find_symmetry(const problem::Problem<L>& problem, std::span<const Index> features);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::exact::tree
