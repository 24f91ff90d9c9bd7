// What a subtree is asked for, and what becomes of it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/dataset.hpp"
#include "exact/node.hpp"
#include "problem/problem.hpp"

namespace ellzero::exact::tree {

/// At most k features, in place of a price: relaxations work with a price, and their bounds are of P + price (|b|_0 -
/// k), which is no more than P of k features (7.2)
struct Cardinality {
  Index k = 0;
  double price = 0;
};

struct Symmetry;  // symmetry.hpp

struct SubtreeGoal {
  double cutoff = 0;
  double tolerance = 0;
  Index nodes = 100;
  double later = std::numeric_limits<double>::infinity();  ///< nodes with a bound above are in no hurry
  core::Stop* stop = nullptr;
  bool record = false;  ///< keep what a proof needs
  std::optional<Cardinality> cardinality = {};
  bool every_support = false;  ///< a node ends only where all features are decided
  const Symmetry* symmetry = nullptr;
};

/// All features are decided: what is left of a node is one support.
struct Leaf {
  std::vector<Index> support;
  double bound = 0;
};

/// What a proof is made of, in the order it happened; see ellzero/proof.hpp. Nodes below 0 were made in this subtree:
/// -1 is the first of them.
struct ProofEvent {
  enum class Kind { Point, Split, Diagonal } kind = Kind::Point;
  std::int64_t node = 0, in_node = 0, out_node = 0;
  Index feature = 0;
  problem::Coefficients point = {};
  std::vector<Index> in = {}, out = {};
  bool closes = false;
  bool own_diagonal = false;  ///< the one of this subtree, not the root's
  std::vector<Index> features = {};
  std::vector<double> d = {};
};

struct SubtreeOutcome {
  double discarded = std::numeric_limits<double>::infinity();  ///< least bound of what was discarded
  std::vector<OpenNode> open;
  std::vector<Index> support;  ///< of the best solution met, if any
  double value = std::numeric_limits<double>::infinity();
  std::vector<Leaf> leaves;  ///< where every support is asked for; their bounds are not among the discarded
  Index nodes = 0;
  std::vector<ProofEvent> events;
  std::int64_t created = 0;  ///< nodes made in this subtree
};

}  // namespace ellzero::exact::tree
