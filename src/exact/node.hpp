// A node of the branch-and-bound tree, and what the relaxations of nodes have to offer.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/dataset.hpp"
#include "penalty/coordinate.hpp"
#include "problem/problem.hpp"

namespace ellzero::exact {

using penalty::Coordinate;

/// What a node has decided about a feature.
enum class Fix : char { Free, In, Out };

/// A node as changes: the features that were alive at the root of its subtree, and what has been decided since.
struct OpenNode {
  std::int64_t number = 0;
  double bound = -std::numeric_limits<double>::infinity();
  double own_bound = bound;  ///< what `start` itself proves; the parent may have proved more
  std::shared_ptr<const std::vector<Index>> alive = {};  ///< ascending; `in` and `out` may be among them
  std::vector<Index> in = {}, out = {};
  std::vector<std::pair<Index, double>> start = {};  ///< coefficients to start from, ascending
  double intercept = 0;
  bool own_diagonal = false;   ///< own_bound was proved with the diagonal of its subtree
  std::int64_t diagonal = -1;  ///< which one that was, once it has a number
};

/// When the relaxation of a node is good enough.
struct NodeGoal {
  double cutoff = 0;     ///< a bound that reaches this prunes; with a cardinality, k prices above its own
  double tolerance = 0;  ///< gap of the relaxation that is small enough otherwise
  bool in_full = false;  ///< down to the tolerance even where the bound cannot prune
  core::Stop* stop = nullptr;
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
  { seen.point(std::span<const double>(b)) } -> std::same_as<problem::Coefficients>;  // b in full, for the record
  { seen.intercept() } -> std::same_as<double>;                                       // of the last solution
  { seen.diagonal() } -> std::same_as<std::span<const double>>;                       // one for each place, or empty
  { seen.value() } -> std::same_as<double>;          // of the relaxation at b: no bound of the node is above
  { seen.bound_if_in(i) } -> std::same_as<double>;   // at the same dual point (6.1)
  { seen.bound_if_out(i) } -> std::same_as<double>;  // (6.2)
  // The subtree's root is solved; true if its relaxation has become tighter by what was learnt.
  { r.settle(std::span<const Fix>(fixes), std::span<const double>(b), bound, cutoff, discarded) } -> std::same_as<bool>;
  // Whether a node would be better off as the root of a subtree of its own.
  { seen.outgrown(std::span<const Fix>(fixes), bound, cutoff) } -> std::same_as<bool>;
  { seen.complete() } -> std::same_as<bool>;             // every feature alive has a place by now
  { seen.alive() } -> std::same_as<std::vector<Index>>;  // features that some node of the subtree may still use
};

}  // namespace ellzero::exact
