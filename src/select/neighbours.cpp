// The models of neighbours.hpp.
#include "select/neighbours.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::select {

std::vector<Index> always_in(const penalty::Penalty& penalty, Index features) {
  std::vector<Index> result;
  for (Index j = 0; j < features; ++j)
    if (penalty.always_in(j)) result.push_back(j);
  return result;
}

template <class L>
solve::Incumbent grown(const problem::Problem<L>& free, const solve::Incumbent& at, core::Stop& stop) {
  constexpr std::size_t few = 5;
  const auto alpha = problem::gradient(free, at.u);
  std::vector<double> tau(static_cast<std::size_t>(free.features.cols()));
  (void)free.features.sweep(alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), features::StoreAll{tau});
  for (const Index j : at.beta.support) tau[j] = 0;
  std::vector<std::pair<double, Index>> order;
  for (Index j = 0; j < free.features.cols(); ++j)
    if (const double gain = solve::hard_gain(free, j, tau[j]); gain > 0) order.emplace_back(-gain, j);
  const auto wanted = std::min(order.size(), few);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), order.end());
  solve::Incumbent best = at;
  for (std::size_t c = 0; c < wanted && !stop.now(); ++c) {
    std::vector<Index> support = at.beta.support;
    support.insert(std::lower_bound(support.begin(), support.end(), order[c].second), order[c].second);
    auto next = solve::best_on_support(free, support, stop, &at.beta);
    if (next.objective < best.objective) best = std::move(next);
  }
  return best;
}

template <class L>
solve::Incumbent shrunk(const problem::Problem<L>& free, const solve::Incumbent& at, Index limit,
                        solve::FeatureGram& gram, core::Stop& stop) {
  solve::Candidates<L> members(free, at.beta.support, gram);
  const auto& model = members.model(at.beta, at.u, stop);
  if (stop.now()) return {};
  std::vector<Index> places(at.beta.support.size());
  std::iota(places.begin(), places.end(), Index{0});
  solve::GramSearch search(model, limit);
  search.start(places);
  return solve::best_on_support(free, members.features(search.support()), stop, &at.beta);
}

#define INSTANTIATE(L)                                                                                            \
  template solve::Incumbent grown(const problem::Problem<L>& free, const solve::Incumbent& at, core::Stop& stop); \
  template solve::Incumbent shrunk(const problem::Problem<L>& free, const solve::Incumbent& at, Index limit,      \
                                   solve::FeatureGram& gram, core::Stop& stop);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::select
