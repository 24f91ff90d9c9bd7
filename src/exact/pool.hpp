// Every support within a margin of the best one: those found so far, and a bound for all the others.
//
// The value of a support is the least objective of coefficients that are nonzero on all of it (always-in features may
// be 0); where some end at 0, that is the value of a smaller support, which is met on its own.
//
// 1. the search goes on until all features are decided, or a bound reaches the margin, or the value of the support
//    that is one too many
// 2. each support it ends with is fitted to X itself; those within the margin are kept, the best ones first
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "exact/close_gap.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::exact {

struct PoolRange {
  double margin = 0;  ///< relative to the best objective
  std::size_t size = 1;
};

struct PoolMember {
  problem::Coefficients beta;
  double objective = std::numeric_limits<double>::infinity();
  double bound = std::numeric_limits<double>::infinity();  ///< of this support; infinite until the search has met it

  friend bool operator<(const PoolMember& x, const PoolMember& y) {
    return x.objective != y.objective ? x.objective < y.objective : x.beta.support < y.beta.support;
  }
};

struct PoolOutcome {
  std::vector<PoolMember> members;  ///< ascending
  double beyond = 0;                ///< no other support has an objective below this
  bool cut = false;                 ///< more supports are within the margin than were asked for
  bool complete = false;            ///< no other support is within the margin
  Index nodes = 0;
  std::optional<Status> limit;  ///< what ended the search early
};

template <class L>
class Pool {
 public:
  static constexpr bool every_support = true;

  /// `plain` is the problem whose objective counts.
  Pool(const problem::Problem<L>& plain, solve::Incumbent best, const PoolRange& range, core::Stop& stop)
      : plain_(plain), range_(range), stop_(stop), start_(best.beta.support) {
    members_.push_back({std::move(best.beta), best.objective});
  }

  [[nodiscard]] double objective() const { return members_.front().objective; }
  [[nodiscard]] std::size_t nonzeros() const { return members_.front().beta.support.size(); }

  /// Objectives have their roundings: a support just within the margin must not be lost to them. One support more than
  /// asked for is kept, to know whether there are more.
  [[nodiscard]] double cutoff() const {
    const double within = margin() + rounding * std::abs(margin());
    return members_.size() > range_.size ? std::min(within, members_.back().objective) : within;
  }

  void try_support(std::span<const Index> support, double bound) {
    if (stop_.now()) return leave(bound);
    auto found = solve::best_on_support(plain_, support, stop_);
    if (stop_.now()) return leave(bound);  // not fitted to the end
    const auto& used = found.beta.support;
    for (const Index j : support)
      if (!plain_.penalty.always_in(j) && !std::binary_search(used.begin(), used.end(), j)) return;
    insert({std::move(found.beta), found.objective, bound});
  }

  PoolOutcome finish(const SearchOutcome& search) {
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

 private:
  static constexpr double rounding = 1e-11;

  /// The largest objective that is within the margin; supports that tie but for rounding are within a margin of 0.
  [[nodiscard]] double margin() const { return objective() + (range_.margin + rounding) * std::abs(objective()); }

  /// A support that is not listed.
  void leave(double bound) { left_ = std::min(left_, bound); }
  void drop_last() {
    leave(members_.back().bound);
    members_.pop_back();
  }

  void insert(PoolMember member) {
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

  const problem::Problem<L>& plain_;
  PoolRange range_;
  core::Stop& stop_;
  std::vector<Index> start_;         // the support that was known before the search
  std::vector<PoolMember> members_;  // ascending, never empty
  double left_ = std::numeric_limits<double>::infinity();
};

/// `problem` has the price of `relaxed`; with a budget the objective is that of `plain`, the problem without a price.
template <class L>
PoolOutcome fill_pool(const problem::Problem<L>& problem, const problem::Problem<L>& plain,
                      const solve::RelaxedOutcome& relaxed, solve::Incumbent best, const PoolRange& range,
                      const SearchLimits& limits, int threads, core::Stop& stop) {
  Pool<L> pool(plain, std::move(best), range, stop);
  return pool.finish(GapCloser(problem, relaxed, pool, limits, threads, nullptr, stop).run());
}

}  // namespace ellzero::exact
