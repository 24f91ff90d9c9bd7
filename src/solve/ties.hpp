// Identical columns: whichever the search happened to use, the one with the lowest index is reported.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "problem/problem.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::solve {

/// Whether two features are the same column with the same penalty.
template <class F, class L>
bool same_feature(const problem::Problem<F, L>& problem, Index a, Index b) {
  if (&problem.penalty[a] != &problem.penalty[b]) return false;
  const Index both[] = {a, b};
  const auto columns = problem.features.gather(both);
  std::vector<double> difference(static_cast<std::size_t>(columns.rows()), 0.0);
  columns.axpy(0, 1, difference);
  columns.axpy(1, -1, difference);
  return columns.centre(0) == columns.centre(1) &&
         std::all_of(difference.begin(), difference.end(), [](double d) { return d == 0; });
}

/// Exchanges features of the support for identical ones of lower index. `tau` belongs to any dual point: identical
/// columns have identical tau, so few columns need to be compared.
template <class F, class L>
void prefer_lowest_index(const problem::Problem<F, L>& problem, std::span<const double> tau, Incumbent& at) {
  std::vector<char> used(tau.size(), 0);
  for (const Index j : at.beta.support) used[j] = 1;
  std::map<std::pair<double, double>, std::vector<std::size_t>> wanted;  // (tau, norm) -> places in the support
  for (std::size_t c = 0; c < at.beta.support.size(); ++c) {
    const Index j = at.beta.support[c];
    wanted[{tau[j], problem.features.norm(j)}].push_back(c);
  }
  bool changed = false;
  for (Index j = 0; j < problem.features.cols(); ++j) {
    if (used[j] != 0) continue;
    const auto group = wanted.find({tau[j], problem.features.norm(j)});
    if (group == wanted.end()) continue;
    for (const std::size_t c : group->second) {
      Index& member = at.beta.support[c];
      if (member < j || !same_feature(problem, j, member)) continue;
      std::swap(used[j], used[member]);
      member = j;
      changed = true;
      break;
    }
  }
  if (!changed) return;
  std::vector<std::pair<Index, double>> order;
  for (std::size_t c = 0; c < at.beta.support.size(); ++c) order.emplace_back(at.beta.support[c], at.beta.values[c]);
  std::sort(order.begin(), order.end());
  for (std::size_t c = 0; c < order.size(); ++c) std::tie(at.beta.support[c], at.beta.values[c]) = order[c];
}

}  // namespace ellzero::solve
