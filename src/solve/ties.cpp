// The exchanges of ties.hpp.
#include "solve/ties.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::solve {
namespace {

/// +1 if two features are the same column with the same penalty, -1 if one column is minus the other and no box tells
/// the signs apart, else 0.
template <class L>
double relative_sign(const problem::Problem<L>& problem, Index a, Index b) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto entries = problem.features.multiples(a, b);
  if (&problem.penalty[a] != &problem.penalty[b] || !entries) return 0;
  if (entries->first == entries->second) return 1;
  const bool even = problem.penalty[a].clamp(inf) == -problem.penalty[a].clamp(-inf);
  return even && entries->first == -entries->second ? -1 : 0;
}

}  // namespace

template <class L>
void prefer_lowest_index(const problem::Problem<L>& problem, std::span<const double> tau, Incumbent& at) {
  std::vector<char> used(tau.size(), 0);
  for (const Index j : at.beta.support) used[j] = 1;
  std::map<std::pair<double, double>, std::vector<std::size_t>> wanted;  // (|tau|, norm) -> places in the support
  for (std::size_t c = 0; c < at.beta.support.size(); ++c) {
    const Index j = at.beta.support[c];
    wanted[{std::abs(tau[j]), problem.features.norm(j)}].push_back(c);
  }
  bool changed = false;
  for (Index j = 0; j < problem.features.cols(); ++j) {
    if (used[j] != 0) continue;
    const auto group = wanted.find({std::abs(tau[j]), problem.features.norm(j)});
    if (group == wanted.end()) continue;
    for (const std::size_t c : group->second) {
      Index& member = at.beta.support[c];
      const double sign = member < j ? 0 : relative_sign(problem, j, member);
      if (sign == 0) continue;
      at.beta.values[c] *= sign;
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

#define INSTANTIATE(L) \
  template void prefer_lowest_index(const problem::Problem<L>& problem, std::span<const double> tau, Incumbent& at);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
