// What a pool keeps and leaves.
#include "exact/tree/pool.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "loss/all.hpp"

namespace ellzero::exact::tree {

template <class L>
ModelPool<L>::ModelPool(const problem::Problem<L>& plain, solve::Incumbent best, const PoolRange& range,
                        core::Stop& stop)
    : plain_(plain), range_(range), stop_(stop), start_(best.beta.support) {
  members_.push_back({std::move(best.beta), best.objective});
}

template <class L>
double ModelPool<L>::cutoff() const {
  const double within = margin() + rounding * std::abs(margin());
  return members_.size() > range_.size ? std::min(within, members_.back().objective) : within;
}

template <class L>
void ModelPool<L>::try_support(std::span<const Index> support, double bound) {
  if (stop_.now()) return leave(bound);
  auto found = solve::best_on_support(plain_, support, stop_);
  if (stop_.now()) return leave(bound);  // not fitted to the end
  const auto& used = found.beta.support;
  for (const Index j : support)
    if (!plain_.penalty.always_in(j) && !std::binary_search(used.begin(), used.end(), j)) return;
  insert({std::move(found.beta), found.objective, bound});
}

template <class L>
PoolOutcome ModelPool<L>::finish(const SearchOutcome& search) {
  PoolOutcome out;
  out.cut = members_.size() > range_.size;
  if (out.cut) drop_last();
  out.beyond = std::min(left_, search.beyond);
  out.limit = search.limit ? search.limit : stop_.reason();
  constexpr double precise = 1e-9;
  out.complete = !out.limit && !out.cut && out.beyond >= margin() - precise * std::abs(margin());
  out.nodes = search.nodes;
  out.members = std::move(members_);
  return out;
}

template <class L>
void ModelPool<L>::drop_last() {
  leave(members_.back().bound);
  members_.pop_back();
}

template <class L>
void ModelPool<L>::insert(PoolMember member) {
  if (member.beta.support == start_) {  // any other support is met once
    const auto known = std::find_if(members_.begin(), members_.end(),
                                    [&](const PoolMember& m) { return m.beta.support == member.beta.support; });
    if (known != members_.end()) {
      if (known->objective < member.objective) {
        member.beta = std::move(known->beta);
        member.objective = known->objective;
      }
      members_.erase(known);
    }
  }
  members_.insert(std::lower_bound(members_.begin(), members_.end(), member), std::move(member));
  while (members_.back().objective > margin() || members_.size() > range_.size + 1) drop_last();
}

template <class L>
PoolOutcome fill_pool(const problem::Problem<L>& problem, const problem::Problem<L>& plain,
                      const solve::RelaxedOutcome& relaxed, solve::Incumbent best, const PoolRange& range,
                      const SearchLimits& limits, int threads, core::Stop& stop) {
  ModelPool<L> pool(plain, std::move(best), range, stop);
  return pool.finish(GapCloser(problem, relaxed, pool, limits, threads, nullptr, stop).run());
}

#define INSTANTIATE(L)                                                                                                \
  template class ModelPool<L>;                                                                                        \
  template PoolOutcome fill_pool(const problem::Problem<L>& problem, const problem::Problem<L>& plain,                \
                                 const solve::RelaxedOutcome& relaxed, solve::Incumbent best, const PoolRange& range, \
                                 const SearchLimits& limits, int threads, core::Stop& stop);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::exact::tree
