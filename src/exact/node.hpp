// A node of the branch-and-bound tree, and what becomes of a subtree that was looked at.
#pragma once

#include <concepts>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/dataset.hpp"
#include "penalty/coordinate.hpp"

namespace ellzero::exact {

using penalty::Coordinate;

/// What a node has decided about a feature.
enum class Fix : char { Free, In, Out };

/// A node as changes: the features that were alive at the root of its subtree, and what has been decided since.
struct OpenNode {
  double bound = -std::numeric_limits<double>::infinity();
  std::shared_ptr<const std::vector<Index>> alive;  ///< ascending; `in` and `out` may be among them
  std::vector<Index> in, out;
  std::vector<std::pair<Index, double>> start;  ///< coefficients to start from
};

/// When the relaxation of a node is good enough.
struct NodeGoal {
  double cutoff = 0;     ///< a bound that reaches this prunes
  double tolerance = 0;  ///< gap of the relaxation that is small enough otherwise
  bool in_full = false;  ///< down to the tolerance even where the bound cannot prune
};

struct SubtreeGoal {
  double cutoff = 0;
  double tolerance = 0;
  Index nodes = 100;
  core::Stop* stop = nullptr;
};

struct SubtreeOutcome {
  double discarded = std::numeric_limits<double>::infinity();  ///< least bound of what was discarded
  std::vector<OpenNode> open;
  std::vector<Index> support;  ///< of the best solution met, if any
  double value = std::numeric_limits<double>::infinity();
  Index nodes = 0;
};

/// Relaxations of the nodes of one subtree. Features have places 0, 1, ... in it; new ones may join while it solves.
template <class R>
concept Relaxation = requires(R r, const R& seen, std::vector<Fix>& fixes, std::vector<double>& b, const NodeGoal& goal,
                              Index i, double bound, double cutoff, double& discarded) {
  { seen.size() } -> std::same_as<Index>;
  { seen.feature(i) } -> std::same_as<Index>;
  { seen.free(i) } -> std::same_as<const Coordinate&>;
  r.begin(fixes, b);                                    // decisions and start of the subtree's root
  { r.solve(fixes, b, goal) } -> std::same_as<double>;  // improves b and returns the node's bound (7.1)
  { seen.value() } -> std::same_as<double>;             // of the relaxation at b: no bound of the node is above
  { seen.bound_if_in(i) } -> std::same_as<double>;      // at the same dual point (6.1)
  { seen.bound_if_out(i) } -> std::same_as<double>;     // (6.2)
  r.settle(std::span<const double>(b), bound, cutoff, discarded);  // the subtree's root is solved
  { seen.alive() } -> std::same_as<std::vector<Index>>;  // features that some node of the subtree may still use
};

}  // namespace ellzero::exact
