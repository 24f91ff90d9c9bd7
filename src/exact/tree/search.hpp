// Branch and bound: subtrees in rounds of a fixed size, best bound first, until the gap is closed or a limit is
// reached.
//
// The bound at any time is the least of: the bounds of what was discarded, and of what is open. (7.1) Rounds do not
// depend on the number of threads: the same bits for any number, unless a time limit strikes.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "ellzero/status.hpp"
#include "exact/node.hpp"
#include "exact/tree/recorder.hpp"
#include "exact/tree/subtree_outcome.hpp"

namespace ellzero::exact::tree {

/// Relative gaps below this are rounding: a search that reaches it has no open node left.
inline constexpr double least_gap = 2e-12;

struct SearchLimits {
  double gap = 1e-4;  ///< relative
  Index nodes =
      std::numeric_limits<Index>::max();  ///< reached to within a branching for each subtree of the last round
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  std::optional<Cardinality> cardinality = {};
};

struct SearchOutcome {
  double lower_bound = 0;
  double beyond = std::numeric_limits<double>::infinity();  ///< of what was discarded or is open
  Index nodes = 0;
  Index open = 0;
  std::optional<Status> limit;  ///< what ended the search early
};

/// What a search is after: keeps what is found, and knows what needs no further look.
class Goal {
 public:
  virtual ~Goal() = default;
  [[nodiscard]] virtual double objective() const = 0;      ///< of the best solution known
  [[nodiscard]] virtual std::size_t nonzeros() const = 0;  ///< of that solution
  [[nodiscard]] virtual double cutoff() const = 0;         ///< a region whose bound reaches this needs no further look
  [[nodiscard]] virtual bool every_support() const = 0;    ///< not only better ones
  /// Offers a support; no coefficients on all of it have an objective below the bound.
  virtual void try_support(std::span<const Index> support, double bound) = 0;
};

class Search {
 public:
  using Explore = std::function<SubtreeOutcome(const OpenNode&, const SubtreeGoal&)>;
  using Tell = std::function<void(const SearchOutcome& now)>;

  Search(Explore explore, Goal& goal, const Symmetry* symmetry, const SearchLimits& limits, core::ThreadPool& pool,
         core::Stop& stop, Recorder* recorder)
      : explore_(std::move(explore)),
        goal_(goal),
        symmetry_(symmetry),
        limits_(limits),
        pool_(pool),
        stop_(stop),
        recorder_(recorder) {}

  SearchOutcome run(OpenNode root, const Tell& tell);

 private:
  static constexpr Index subtrees_per_round = 8;
  static constexpr Index nodes_per_subtree = 100;

  [[nodiscard]] double tolerance() const;
  [[nodiscard]] double beyond() const;
  [[nodiscard]] double lower_bound() const { return std::min(goal_.objective(), beyond()); }

  /// The node needs no further look, or gets none.
  void discard(const OpenNode& node);

  /// Only what is near the least bound holds the search back: a subtree that has left it behind waits for its turn.
  [[nodiscard]] double later() const;

  static bool after(const OpenNode& x, const OpenNode& y) { return x.bound > y.bound; }  // the least bound on top

  void push(OpenNode node);

  static std::size_t bytes_of(const OpenNode& node);

  std::vector<OpenNode> take_round(Index most);

  bool limited();

  Explore explore_;
  Goal& goal_;
  const Symmetry* symmetry_;
  SearchLimits limits_;
  core::ThreadPool& pool_;
  core::Stop& stop_;
  Recorder* recorder_;
  double discarded_ = std::numeric_limits<double>::infinity();
  std::vector<OpenNode> frontier_;  // a heap
  std::size_t bytes_ = 0;           // of the frontier
  SearchOutcome out_;
};

}  // namespace ellzero::exact::tree
