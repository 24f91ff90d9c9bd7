// A few nodes of the branch-and-bound tree, explored together.
//
// 1. relax the root of the subtree; what one dual point decides is decided                                    (6.1),
// (6.2)
// 2. best bound first: branch on the most fractional indicator, relax both children from the parent's solution
// 3. what is left open when the allowance is spent goes back to the frontier
// A node ends in one of four ways: its bound reaches the cutoff, its relaxed solution solves it, it is branched on, or
// it is handed back.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>
#include <vector>

#include "exact/node.hpp"

namespace ellzero::exact {

template <Relaxation R>
class Subtree {
 public:
  Subtree(R& relaxation, const OpenNode& root, const SubtreeGoal& goal) : relaxation_(relaxation), goal_(goal) {
    Node node{root.bound, {}, {}};
    relaxation_.begin(node.fixes, node.b);
    relax(node);
    if (node.bound >= goal_.cutoff) return;
    relaxation_.settle(node.b, node.bound, goal_.cutoff, out_.discarded);
    heap_.push(std::move(node));
  }

  SubtreeOutcome run() {
    while (!heap_.empty() && out_.nodes < goal_.nodes && !goal_.stop->now()) {
      const Node node = heap_.top();
      heap_.pop();
      if (const Index most = most_fractional(node); most >= 0) branch(node, most);
      else finish(node);
    }
    hand_back();
    return std::move(out_);
  }

 private:
  struct Node {
    double bound;
    std::vector<Fix> fixes;
    std::vector<double> b;
    friend bool operator<(const Node& x, const Node& y) { return x.bound > y.bound; }  // the least bound on top
  };

  void discard(double bound) { out_.discarded = std::min(out_.discarded, bound); }

  /// z = |b| / k of a free feature: 0 out, 1 in, undecided between them (4.1)
  [[nodiscard]] double indicator(Index i, double b) const {
    if (b == 0) return 0;
    const double knee = relaxation_.free(i).knee(b);
    if (knee == std::numeric_limits<double>::infinity()) return 0.5;  // the relaxation does not see the jump
    return knee > 0 ? std::min(1.0, std::abs(b) / knee) : 1.0;
  }

  /// Solves the node's relaxation, decides what its dual point decides, and solves again while that changes something.
  void relax(Node& node) {
    constexpr int most_rounds = 4;
    for (int round = 0; round < most_rounds; ++round) {
      ++out_.nodes;
      node.bound = std::max(node.bound, relaxation_.solve(node.fixes, node.b, {goal_.cutoff, goal_.tolerance}));
      if (node.bound >= goal_.cutoff) return discard(node.bound);
      if (!decide(node)) return;
    }
  }

  /// True if a decision changes the relaxation's solution.
  bool decide(Node& node) {
    bool changed = false;
    for (Index i = 0; i < relaxation_.size(); ++i) {
      if (node.fixes[i] != Fix::Free) continue;
      if (const double in = relaxation_.bound_if_in(i); in >= goal_.cutoff) {  // (6.1)
        discard(in);
        node.fixes[i] = Fix::Out;
        changed = changed || node.b[i] != 0;
      } else if (const double out = relaxation_.bound_if_out(i); out >= goal_.cutoff) {  // (6.2)
        discard(out);
        node.fixes[i] = Fix::In;
        changed = changed || indicator(i, node.b[i]) < 1;
      }
    }
    return changed;
  }

  [[nodiscard]] Index most_fractional(const Node& node) const {
    Index most = -1;
    double score = 1e-9;
    for (Index i = 0; i < static_cast<Index>(node.fixes.size()); ++i) {
      if (node.fixes[i] != Fix::Free) continue;
      const double z = indicator(i, node.b[i]);
      if (std::min(z, 1 - z) > score) {
        score = std::min(z, 1 - z);
        most = i;
      }
    }
    return most;
  }

  void branch(const Node& node, Index i) {
    for (const Fix side : {Fix::In, Fix::Out}) {
      Node child = node;
      child.fixes[i] = side;
      relax(child);
      if (child.bound < goal_.cutoff) heap_.push(std::move(child));
    }
  }

  /// No indicator is fractional: the relaxed solution, worked out in full, solves the node.
  void finish(Node node) {
    const double exactly = 1e-13 * std::abs(goal_.cutoff);
    node.bound = std::max(node.bound, relaxation_.solve(node.fixes, node.b, {goal_.cutoff, exactly, true}));
    if (node.bound < goal_.cutoff)
      if (const Index most = most_fractional(node); most >= 0) return branch(node, most);
    discard(node.bound);
    if (relaxation_.value() >= out_.value) return;
    out_.value = relaxation_.value();
    out_.support.clear();
    for (Index i = 0; i < relaxation_.size(); ++i)
      if (node.b[i] != 0) out_.support.push_back(relaxation_.feature(i));
    std::sort(out_.support.begin(), out_.support.end());
  }

  void hand_back() {
    if (heap_.empty()) return;
    const auto alive = std::make_shared<const std::vector<Index>>(relaxation_.alive());
    for (; !heap_.empty(); heap_.pop()) {
      const Node& node = heap_.top();
      OpenNode open{node.bound, alive, {}, {}, {}};
      for (Index i = 0; i < static_cast<Index>(node.fixes.size()); ++i) {
        const Index j = relaxation_.feature(i);
        if (node.fixes[i] == Fix::In) open.in.push_back(j);
        if (node.fixes[i] == Fix::Out) open.out.push_back(j);
        if (node.b[i] != 0) open.start.emplace_back(j, node.b[i]);
      }
      out_.open.push_back(std::move(open));
    }
  }

  R& relaxation_;
  SubtreeGoal goal_;
  std::priority_queue<Node> heap_;
  SubtreeOutcome out_;
};

template <Relaxation R>
SubtreeOutcome explore(R relaxation, const OpenNode& root, const SubtreeGoal& goal) {
  return Subtree<R>(relaxation, root, goal).run();
}

}  // namespace ellzero::exact
