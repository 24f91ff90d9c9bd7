// Branch and bound: subtrees in rounds of a fixed size, best bound first, until the gap is closed or a limit is
// reached.
//
// The bound at any time is the least of: the bounds of what was discarded, and of what is open. (7.1) Rounds do not
// depend on the number of threads: the same bits for any number, unless a time limit strikes.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "ellzero/status.hpp"
#include "exact/node.hpp"
#include "exact/recorder.hpp"

namespace ellzero::exact {

/// Relative gaps below this are rounding: a search that reaches it has no open node left.
inline constexpr double least_gap = 2e-12;

struct SearchLimits {
  double gap = 1e-4;  ///< relative
  Index nodes =
      std::numeric_limits<Index>::max();  ///< reached to within a branching for each subtree of the last round
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  std::optional<Budget> budget = {};
};

struct SearchOutcome {
  double lower_bound = 0;
  double beyond = std::numeric_limits<double>::infinity();  ///< of what was discarded or is open
  Index nodes = 0;
  Index open = 0;
  std::optional<Status> limit;  ///< what ended the search early
};

/// What a search is after.
struct Quest {
  std::function<double()> objective;  ///< of the best solution known
  std::function<double()> cutoff;     ///< a region whose bound reaches this needs no further look
  /// Offers a support; no coefficients on all of it have an objective below the bound.
  std::function<void(std::span<const Index> support, double bound)> try_support;
  bool every_support = false;  ///< not only better ones
  const Symmetry* symmetry = nullptr;
};

class Search {
 public:
  using Explore = std::function<SubtreeOutcome(const OpenNode&, const SubtreeGoal&)>;
  using Tell = std::function<void(const SearchOutcome& now)>;

  Search(Explore explore, Quest quest, const SearchLimits& limits, core::ThreadPool& pool, core::Stop& stop,
         Recorder* recorder)
      : explore_(std::move(explore)),
        quest_(std::move(quest)),
        limits_(limits),
        pool_(pool),
        stop_(stop),
        recorder_(recorder) {}

  SearchOutcome run(OpenNode root, const Tell& tell) {
    push(std::move(root));
    while (!frontier_.empty() && !limited()) {
      const double enough = tolerance();
      const Index left = limits_.nodes - out_.nodes;
      auto round = take_round(std::min(left, subtrees_per_round));
      const Index share = std::min(left / std::max<Index>(std::ssize(round), 1), nodes_per_subtree);
      const SubtreeGoal goal{
          quest_.cutoff(),      enough,         share, later(), &stop_, recorder_ != nullptr, limits_.budget,
          quest_.every_support, quest_.symmetry};
      std::vector<SubtreeOutcome> outcomes(round.size());
      pool_.run(static_cast<Index>(round.size()), [&](Index k) { outcomes[k] = explore_(round[k], goal); });
      if (recorder_ != nullptr && stop_.now()) {  // points that were cut off prove less than those before them
        for (OpenNode& node : round) push(std::move(node));
        break;
      }
      for (SubtreeOutcome& outcome : outcomes) {
        if (recorder_ != nullptr) recorder_->take(outcome);
        out_.nodes += outcome.nodes;
        discarded_ = std::min(discarded_, outcome.discarded);
        if (outcome.value < quest_.objective()) quest_.try_support(outcome.support, outcome.discarded);
        for (const Leaf& leaf : outcome.leaves) quest_.try_support(leaf.support, leaf.bound);
        for (OpenNode& node : outcome.open) push(std::move(node));
      }
      out_.lower_bound = lower_bound();
      out_.open = static_cast<Index>(frontier_.size());
      tell(out_);
    }
    if (recorder_ != nullptr)
      for (; !frontier_.empty(); frontier_.pop_back()) discard(frontier_.back());
    out_.lower_bound = lower_bound();
    out_.beyond = beyond();
    return out_;
  }

 private:
  static constexpr Index subtrees_per_round = 8;
  static constexpr Index nodes_per_subtree = 100;

  [[nodiscard]] double tolerance() const {
    return 0.01 * (quest_.cutoff() - lower_bound()) + 1e-12 * std::abs(quest_.objective());
  }
  [[nodiscard]] double beyond() const {
    return frontier_.empty() ? discarded_ : std::min(discarded_, frontier_.front().bound);
  }
  [[nodiscard]] double lower_bound() const { return std::min(quest_.objective(), beyond()); }

  /// The node needs no further look, or gets none.
  void discard(const OpenNode& node) {
    discarded_ = std::min(discarded_, recorder_ != nullptr ? node.own_bound : node.bound);
    if (recorder_ != nullptr) recorder_->close(node);
  }

  /// Only what is near the least bound holds the search back: a subtree that has left it behind waits for its turn.
  [[nodiscard]] double later() const {
    constexpr double near = 0.05;
    return lower_bound() + near * (quest_.cutoff() - lower_bound());
  }

  static bool after(const OpenNode& x, const OpenNode& y) { return x.bound > y.bound; }  // the least bound on top

  void push(OpenNode node) {
    bytes_ += bytes_of(node);
    frontier_.push_back(std::move(node));
    std::push_heap(frontier_.begin(), frontier_.end(), after);
  }

  static std::size_t bytes_of(const OpenNode& node) {
    return sizeof(node) + (node.in.size() + node.out.size() + 2 * node.start.size()) * sizeof(Index);
  }

  std::vector<OpenNode> take_round(Index most) {
    std::vector<OpenNode> round;
    while (!frontier_.empty() && std::ssize(round) < most) {
      std::pop_heap(frontier_.begin(), frontier_.end(), after);
      bytes_ -= bytes_of(frontier_.back());
      if (frontier_.back().bound >= quest_.cutoff()) discard(frontier_.back());
      else round.push_back(std::move(frontier_.back()));
      frontier_.pop_back();
    }
    return round;
  }

  bool limited() {
    if (stop_.now()) out_.limit = stop_.reason();
    else if (out_.nodes >= limits_.nodes) out_.limit = Status::NodeLimit;
    else if (bytes_ > limits_.bytes) out_.limit = Status::MemoryLimit;
    return out_.limit.has_value();
  }

  Explore explore_;
  Quest quest_;
  SearchLimits limits_;
  core::ThreadPool& pool_;
  core::Stop& stop_;
  Recorder* recorder_;
  double discarded_ = std::numeric_limits<double>::infinity();
  std::vector<OpenNode> frontier_;  // a heap
  std::size_t bytes_ = 0;           // of the frontier
  SearchOutcome out_;
};

}  // namespace ellzero::exact
