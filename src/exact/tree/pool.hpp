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
#include <vector>

#include "core/stop.hpp"
#include "exact/tree/close_gap.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::exact::tree {

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
class ModelPool final : public Goal {
 public:
  /// `plain` is the problem whose objective counts.
  ModelPool(const problem::Problem<L>& plain, solve::Incumbent best, const PoolRange& range, core::Stop& stop);

  [[nodiscard]] double objective() const override { return members_.front().objective; }
  [[nodiscard]] std::size_t nonzeros() const override { return members_.front().beta.support.size(); }

  /// Objectives have their roundings: a support just within the margin must not be lost to them. One support more than
  /// asked for is kept, to know whether there are more.
  [[nodiscard]] double cutoff() const override;

  [[nodiscard]] bool every_support() const override { return true; }

  void try_support(std::span<const Index> support, double bound) override;

  PoolOutcome finish(const SearchOutcome& search);

 private:
  static constexpr double rounding = 1e-11;

  /// The largest objective that is within the margin; supports that tie but for rounding are within a margin of 0.
  [[nodiscard]] double margin() const { return objective() + (range_.margin + rounding) * std::abs(objective()); }

  /// A support that is not listed.
  void leave(double bound) { left_ = std::min(left_, bound); }
  void drop_last();

  void insert(PoolMember member);

  const problem::Problem<L>& plain_;
  PoolRange range_;
  core::Stop& stop_;
  std::vector<Index> start_;         // the support that was known before the search
  std::vector<PoolMember> members_;  // ascending, never empty
  double left_ = std::numeric_limits<double>::infinity();
};

/// `problem` has the price of `relaxed`; with a cardinality the objective is that of `plain`, the problem without a
/// price.
template <class L>
PoolOutcome fill_pool(const problem::Problem<L>& problem, const problem::Problem<L>& plain,
                      const solve::RelaxedOutcome& relaxed, solve::Incumbent best, const PoolRange& range,
                      const SearchLimits& limits, int threads, core::Stop& stop);

}  // namespace ellzero::exact::tree
