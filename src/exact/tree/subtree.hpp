// A few nodes of the branch-and-bound tree, explored together.
//
// 1. relax the root of the subtree; what one dual point decides is decided, (6.1) and (6.2)
// 2. best bound first: branch on the most fractional indicator, relax both children from the parent's solution
// 3. what is left open goes back to the frontier: the allowance is spent, or a subtree of its own would be better
//
// A node ends in one of four ways: its bound reaches the cutoff, its relaxed solution solves it, it is branched on,
// or it is handed back.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <queue>
#include <vector>

#include "core/rounding.hpp"
#include "exact/node.hpp"
#include "exact/tree/subtree_outcome.hpp"
#include "exact/tree/symmetry.hpp"

namespace ellzero::exact::tree {

template <Relaxation R>
class Subtree {
 public:
  Subtree(R& relaxation, const OpenNode& root, const SubtreeGoal& goal)
      : relaxation_(relaxation), goal_(goal), groups_(relaxation, goal.symmetry) {
    Node node{.number = root.number, .bound = root.bound, .own_bound = root.own_bound, .fixes = {}, .b = {}};
    relaxation_.begin(node.fixes, node.b);
    follow_all(node);
    relax(node);
    if (node.bound >= goal_.cutoff) return;
    const auto before = goal_.record ? relaxation_.alive() : std::vector<Index>();
    double discarded = std::numeric_limits<double>::infinity();
    const double less = allowance(node.fixes) * (1 + 8 * core::unit_roundoff);
    const bool tighter = relaxation_.settle(node.fixes, node.b, node.own_bound + less, goal_.cutoff + less, discarded);
    discard(discarded - less);
    if (goal_.record) record_settling(node, before, tighter);
    if (tighter) relax(node);
    if (node.bound < goal_.cutoff) heap_.push(std::move(node));
  }

  SubtreeOutcome run() {
    const double later = heap_.empty() ? 0 : std::max(goal_.later, heap_.top().bound);
    while (!heap_.empty() && out_.nodes < goal_.nodes && heap_.top().bound <= later && !goal_.stop->now()) {
      const Node node = heap_.top();
      heap_.pop();
      if (const Index most = most_fractional(node); most >= 0) branch(node, most);
      else if (goal_.every_support) finish_support(node);
      else finish(node);
    }
    hand_back();
    return std::move(out_);
  }

 private:
  struct Node {
    std::int64_t number;
    double bound, own_bound;
    std::vector<Fix> fixes;
    std::vector<double> b;
    double intercept = 0;
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
    for (int round = 0; round < most_rounds || room_left(node) < 0; ++round) {
      ++out_.nodes;
      if (room_left(node) < 0) node.bound = node.own_bound = std::numeric_limits<double>::infinity();  // empty
      else improve(node, {goal_.cutoff, goal_.tolerance});
      if (node.bound >= goal_.cutoff) return close(node);
      if (!decide(node)) return;
    }
  }

  /// What the features that a node may use cost at the relaxation's price: its bounds are less by that. (7.2)
  [[nodiscard]] double allowance(const std::vector<Fix>& fixes) const {
    if (!goal_.cardinality) return 0;
    const auto usable = static_cast<Index>(fixes.size()) - std::count(fixes.begin(), fixes.end(), Fix::Out);
    const Index most = relaxation_.complete() ? std::min(usable, goal_.cardinality->k) : goal_.cardinality->k;
    return static_cast<double>(most) * goal_.cardinality->price;
  }

  /// How many more features a node may decide for.
  [[nodiscard]] Index room_left(const Node& node) const {
    if (!goal_.cardinality) return std::numeric_limits<Index>::max();
    return goal_.cardinality->k - std::count(node.fixes.begin(), node.fixes.end(), Fix::In);
  }

  /// The features that the relaxed solution pays for: those that are in, whatever their coefficients are, and the free
  /// ones that it uses.
  [[nodiscard]] static Index paid_for(const Node& node) {
    Index count = 0;
    for (std::size_t i = 0; i < node.fixes.size(); ++i)
      count += node.fixes[i] == Fix::In || (node.fixes[i] == Fix::Free && node.b[i] != 0) ? 1 : 0;
    return count;
  }

  void improve(Node& node, NodeGoal goal) {
    if (room_left(node) == 0) std::replace(node.fixes.begin(), node.fixes.end(), Fix::Free, Fix::Out);
    goal.cutoff += allowance(node.fixes);
    goal.stop = goal_.stop;
    const auto before = node.fixes.size();
    const double bound = relaxation_.solve(node.fixes, node.b, goal);
    if (node.fixes.size() > before) follow_all(node);
    node.own_bound = bound - allowance(node.fixes) * (1 + 4 * core::unit_roundoff);
    node.intercept = relaxation_.intercept();
    node.bound = std::max(node.bound, node.own_bound);
  }

  /// Nothing is left of the node.
  void close(const Node& node) {
    discard(goal_.record ? node.own_bound : node.bound);
    if (!goal_.record) return;
    record(node).closes = true;
  }

  ProofEvent& record(const Node& node) {
    out_.events.push_back({ProofEvent::Kind::Point, node.number});
    out_.events.back().point = relaxation_.point(node.b);
    out_.events.back().point.intercept = node.intercept;
    out_.events.back().own_diagonal = own_diagonal_;
    return out_.events.back();
  }

  /// Features that are no longer alive were decided by the root's point; a diagonal is for all that are.
  void record_settling(const Node& node, const std::vector<Index>& before, bool tighter) {
    const auto after = relaxation_.alive();
    if (before != after) {
      auto& event = record(node);
      std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(event.out));
    }
    if (!tighter) return;
    own_diagonal_ = true;
    const auto d = relaxation_.diagonal();
    out_.events.push_back({ProofEvent::Kind::Diagonal, node.number});
    for (Index i = 0; i < relaxation_.size(); ++i) {
      if (node.fixes[i] == Fix::Out) continue;
      out_.events.back().features.push_back(relaxation_.feature(i));
      out_.events.back().d.push_back(d[i]);
    }
  }

  /// True if a decision changes the relaxation's solution.
  bool decide(Node& node) {
    bool changed = false;
    std::vector<Index> in, out;
    const double less = allowance(node.fixes) * (1 + 8 * core::unit_roundoff);
    for (Index i = 0; i < relaxation_.size(); ++i) {
      if (node.fixes[i] != Fix::Free) continue;
      if (const double if_in = relaxation_.bound_if_in(i) - less; if_in >= goal_.cutoff) {  // (6.1)
        discard(if_in);
        out.push_back(relaxation_.feature(i));
        node.fixes[i] = Fix::Out;
        changed = follow(node, i) || changed || node.b[i] != 0;
      } else if (const double if_out = relaxation_.bound_if_out(i) - less; if_out >= goal_.cutoff) {  // (6.2)
        discard(if_out);
        in.push_back(relaxation_.feature(i));
        node.fixes[i] = Fix::In;
        changed = follow(node, i) || changed || indicator(i, node.b[i]) < 1;
      }
    }
    if (goal_.record && !(in.empty() && out.empty())) {
      auto& event = record(node);
      event.in = std::move(in);
      event.out = std::move(out);
    }
    // Where k features are in, the rest is out; where more than k are, the node is empty.
    const Index room = room_left(node);
    return changed || room < 0 || (room == 0 && std::count(node.fixes.begin(), node.fixes.end(), Fix::Free) > 0);
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

  /// With a cardinality a solution without fractions need not be the end of a node: it may use too many features, or
  /// too few to have a sharp bound. The most doubtful one is decided next: of those used the one worth least, else of
  /// the others the one worth most.
  [[nodiscard]] Index next_for_cardinality(const Node& node) const {
    if (const Index most = most_fractional(node); most >= 0) return most;
    const bool too_many = paid_for(node) > goal_.cardinality->k;
    Index next = -1;
    for (Index i = 0; i < static_cast<Index>(node.fixes.size()); ++i) {
      if (node.fixes[i] != Fix::Free || (node.b[i] != 0) != too_many) continue;
      const double worth = -relaxation_.bound_if_in(i);
      if (next < 0 || (too_many ? worth < -relaxation_.bound_if_in(next) : worth > -relaxation_.bound_if_in(next)))
        next = i;
    }
    for (Index i = 0; next < 0 && i < static_cast<Index>(node.fixes.size()); ++i)
      if (node.fixes[i] == Fix::Free) next = i;
    return next;
  }

  /// True if what follows from a decision changes the relaxation's solution.
  bool follow(Node& node, Index i) const {
    bool changed = false;
    groups_.follow(node.fixes, i, [&](Index l) {
      changed = changed || (node.fixes[l] == Fix::Out ? node.b[l] != 0 : indicator(l, node.b[l]) < 1);
    });
    return changed;
  }

  void follow_all(Node& node) {
    groups_.find_places();
    for (Index i = 0; i < static_cast<Index>(node.fixes.size()); ++i)
      if (node.fixes[i] != Fix::Free) follow(node, i);
  }

  void branch(const Node& node, Index fractional) {
    const Index i = groups_.first_free(node.fixes, fractional);
    const std::int64_t in_number = --next_number_, out_number = --next_number_;
    if (goal_.record)
      out_.events.push_back({.kind = ProofEvent::Kind::Split,
                             .node = node.number,
                             .in_node = in_number,
                             .out_node = out_number,
                             .feature = relaxation_.feature(i)});
    for (const Fix side : {Fix::In, Fix::Out}) {
      Node child = node;
      child.number = side == Fix::In ? in_number : out_number;
      child.fixes[i] = side;
      follow(child, i);
      relax(child);
      if (child.bound >= goal_.cutoff) continue;
      if (relaxation_.outgrown(child.fixes, child.bound, goal_.cutoff)) outgrown_.push_back(std::move(child));
      else heap_.push(std::move(child));
    }
  }

  /// No indicator is fractional: the relaxed solution, worked out in full, solves the node.
  void finish(Node node) {
    const double exactly = 1e-13 * std::abs(goal_.cutoff);
    improve(node, {goal_.cutoff, exactly, true});
    if (node.bound < goal_.cutoff)
      if (const Index most = goal_.cardinality ? next_for_cardinality(node) : most_fractional(node); most >= 0)
        return branch(node, most);
    close(node);
    const Index paid = paid_for(node);
    const double prices =
        goal_.cardinality ? goal_.cardinality->price * static_cast<double>(paid) : 0;  // P has no price in it
    if (relaxation_.value() - prices >= out_.value || (goal_.cardinality && paid > goal_.cardinality->k)) return;
    out_.value = relaxation_.value() - prices;
    out_.support.clear();
    for (Index i = 0; i < relaxation_.size(); ++i)
      if (node.b[i] != 0) out_.support.push_back(relaxation_.feature(i));
    std::sort(out_.support.begin(), out_.support.end());
  }

  /// Every support is asked for: what no point decides is branched on, the most one-sided feature first.
  void finish_support(Node node) {
    improve(node, {goal_.cutoff, 1e-13 * std::abs(goal_.cutoff), true});
    if (node.bound >= goal_.cutoff) return close(node);
    if (decide(node) || room_left(node) < 0) {
      relax(node);
      if (node.bound < goal_.cutoff) heap_.push(std::move(node));
      return;
    }
    const auto worse_side = [&](Index i) { return std::max(relaxation_.bound_if_in(i), relaxation_.bound_if_out(i)); };
    Index next = -1;
    for (Index i = 0; i < relaxation_.size(); ++i)
      if (node.fixes[i] == Fix::Free && (next < 0 || worse_side(i) > worse_side(next))) next = i;
    if (next >= 0) return branch(node, next);
    if (!relaxation_.complete() && room_left(node) > 0) return outgrown_.push_back(std::move(node));
    Leaf leaf{{}, node.bound};
    for (Index i = 0; i < relaxation_.size(); ++i)
      if (node.fixes[i] == Fix::In) leaf.support.push_back(relaxation_.feature(i));
    std::sort(leaf.support.begin(), leaf.support.end());
    out_.leaves.push_back(std::move(leaf));
  }

  void hand_back() {
    out_.created = -next_number_;
    for (; !heap_.empty(); heap_.pop()) outgrown_.push_back(heap_.top());
    if (outgrown_.empty()) return;
    const auto alive = std::make_shared<const std::vector<Index>>(relaxation_.alive());
    for (const Node& node : outgrown_) {
      OpenNode open{.number = node.number, .bound = node.bound, .own_bound = node.own_bound, .alive = alive};
      const auto point = relaxation_.point(node.b);
      open.intercept = node.intercept;
      open.own_diagonal = own_diagonal_;
      for (std::size_t c = 0; c < point.support.size(); ++c) open.start.emplace_back(point.support[c], point.values[c]);
      for (Index i = 0; i < static_cast<Index>(node.fixes.size()); ++i) {
        const Index j = relaxation_.feature(i);
        if (node.fixes[i] == Fix::In) open.in.push_back(j);
        if (node.fixes[i] == Fix::Out) open.out.push_back(j);
      }
      out_.open.push_back(std::move(open));
    }
  }

  R& relaxation_;
  SubtreeGoal goal_;
  GroupPlaces<R> groups_;
  std::priority_queue<Node> heap_;
  std::vector<Node> outgrown_;  // to be handed back in any case
  std::int64_t next_number_ = 0;
  bool own_diagonal_ = false;
  SubtreeOutcome out_;
};

template <Relaxation R>
SubtreeOutcome explore(R relaxation, const OpenNode& root, const SubtreeGoal& goal) {
  return Subtree<R>(relaxation, root, goal).run();
}

}  // namespace ellzero::exact::tree
