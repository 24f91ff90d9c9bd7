// How a caller records a proof: every dual point that decided something, and the tree they hang on.
//
// Node 0 is the whole problem. A node is looked at through one or more points; each may decide features for good, in or
// out, because the bound of the other decision reaches the proof's lower bound. A node ends when a point closes it (the
// node's own bound reaches the lower bound), or when it is split on a feature into two nodes. Coefficients are those of
// the columns as the solver sees them: centred where there is an intercept, and scaled where columns are standardised.
// Lists of features are ascending.
#pragma once

#include <cstdint>
#include <span>

#include "ellzero/dataset.hpp"

namespace ellzero {

/// A primal point whose dual point (3.7) is meant; with a diagonal, b itself is (7.3).
struct ProofPoint {
  std::int64_t node = 0;
  double intercept = 0;
  std::span<const Index> support;
  std::span<const double> values;
  std::span<const Index> in;   ///< decided by this point: in
  std::span<const Index> out;  ///< decided by this point: out
  bool closes = false;         ///< nothing is left of the node
  std::int64_t diagonal = -1;  ///< number of the diagonal that was moved into lambda2, or -1
};

/// Derive from it and hand it to prove(). Called from the calling thread; a node's points come before its split, and
/// its split before anything of its children.
class ProofSink {
 public:
  virtual ~ProofSink() = default;
  virtual void on_point(const ProofPoint& point) = 0;
  virtual void on_split(std::int64_t node, Index feature, std::int64_t in_node, std::int64_t out_node) = 0;
  /// lambda2_j becomes lambda2 + d_j / 2 for these features; all others of a node that uses it are out.          (7.3)
  virtual void on_diagonal(std::int64_t number, std::span<const Index> features, std::span<const double> d) = 0;
};

}  // namespace ellzero
