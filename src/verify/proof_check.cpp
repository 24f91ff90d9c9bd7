// The walk over a proof's tree behind ProofCheck.
//
// A node knows its parent and what it has decided; what holds at a node is collected on the way to the root. The bound
// of a leaf is the best that a point at it, or at a node above it, proves; the proof's bound is the least over all
// leaves, and over the other side of every decision that a point has made.                              (7.1), (6.1)
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/verify.hpp"
#include "verify/coefficients.hpp"
#include "verify/diagonal.hpp"
#include "verify/point_bound.hpp"

namespace ellzero {

using verify::Choice;
using verify::largest_value;

class ProofCheck::Tree {
 public:
  Tree(const Dataset& data, const Settings& settings) : sample_(data, settings) {
    for (Index j = 0; j < sample_.cols(); ++j)
      start_.push_back(sample_.always(j) ? Choice::In : sample_.constant(j) ? Choice::Out : Choice::Free);
    if_in_.assign(start_.size(), 0.0);
    if_out_ = if_in_;
    const auto always = std::count(start_.begin(), start_.end(), Choice::In);
    nodes_.try_emplace(0, Node{-1, verify::least_bound(sample_, always)});  // D(0), without any point
  }

  void add(const ProofPoint& point) {
    Node& node = open_node(point.node);
    check_point(point);
    auto choices = choices_at(point.node);
    const verify::PointBound bound = bound_of(point, choices);
    node.bound = std::max(node.bound, bound.node());
    if (point.node == 0) look_at_features(bound, choices);
    for (const Index j : point.out) decide(point.node, j, Choice::Out, bound.if_in(j), choices);
    for (const Index j : point.in) decide(point.node, j, Choice::In, bound.if_out(j), choices);
    node.closed = point.closes;
    ++points_;
  }

  void add(const Claim& claim) {
    verify::check_coefficients(sample_, claim);
    std::vector<double> values;
    double intercept = claim.intercept;
    for (std::size_t c = 0; c < claim.support.size(); ++c) {
      const Index j = claim.support[c];
      values.push_back(sample_.constant(j) ? 0 : claim.coefficients[c] / sample_.scale(j).lo);
      intercept += claim.coefficients[c] * sample_.shift(j);
    }
    add({0, intercept, claim.support, values, {}, {}});
  }

  void split(std::int64_t number, Index feature, std::int64_t in_node, std::int64_t out_node) {
    Node& node = open_node(number);
    if (first_misplaced({&feature, 1})) fail(number, fmt::format("is split on feature {}; {}", feature, in_order()));
    if (choices_at(number)[feature] != Choice::Free)
      fail(number, fmt::format("is split on feature {}, which is decided already", feature));
    if (in_node < 0 || out_node < 0 || in_node == out_node || nodes_.contains(in_node) || nodes_.contains(out_node))
      fail(number, fmt::format("is split into nodes {} and {}; expected two new ones", in_node, out_node));
    node.split = true;
    const double bound = node.bound;
    nodes_.try_emplace(in_node, Node{number, bound, {{feature, Choice::In}}});
    nodes_.try_emplace(out_node, Node{number, bound, {{feature, Choice::Out}}});
  }

  void add_diagonal(std::int64_t number, std::span<const Index> features, std::span<const double> d) {
    const auto refuse = [&](const std::string& reason) {
      throw Error(ErrorCode::Numerical, fmt::format("proof: diagonal {}: {}", number, reason));
    };
    if (!std::holds_alternative<loss::Squared>(sample_.loss())) refuse("expected none, as the loss is not squared");
    if (features.size() != d.size()) refuse("has not as many numbers as features");
    if (diagonals_.contains(number)) refuse("is there twice");
    if (!diagonal_check_.is_affordable(features.size()))
      refuse(fmt::format("has {} features; expected at most {} for data of this size", features.size(),
                         diagonal_check_.most_features()));
    if (const auto j = first_misplaced(features)) refuse(fmt::format("has feature {}; {}", *j, in_order()));
    verify::Diagonal diagonal;
    std::vector<Index> used;  // constant columns are in no product, and what is moved into their lambda2 is not used
    std::vector<double> moved;
    for (std::size_t c = 0; c < d.size(); ++c) {
      if (!(d[c] >= -2 * sample_.lambda2() && d[c] <= verify::largest_diagonal))
        refuse(fmt::format("is {} at feature {}; expected {} to {:g}", d[c], features[c], -2 * sample_.lambda2(),
                           verify::largest_diagonal));
      diagonal.d.emplace(features[c], d[c]);
      if (sample_.constant(features[c])) continue;
      used.push_back(features[c]);
      moved.push_back(d[c]);
    }
    if (!diagonal_check_.leaves_semidefinite(used, moved))
      refuse("what it leaves of X'WX is not positive semidefinite");
    diagonals_.emplace(number, std::move(diagonal));
  }

  /// What the points at node 0 have said of a feature, if no solution is better than `objective`: section 7.
  [[nodiscard]] Verdict verdict(Index j, double objective) const {
    const double reached = objective * (1 + 4 * claim_tolerance) + verify::underflow;
    if (sample_.constant(j) && !sample_.always(j)) return Verdict::Never;
    if (sample_.always(j) || if_out_[j] > reached) return Verdict::Always;
    return if_in_[j] > reached ? Verdict::Never : Verdict::Undecided;
  }

  struct Weakest {
    double bound = std::numeric_limits<double>::infinity();
    std::string where = {};
  };

  /// The least bound, and where it is.
  [[nodiscard]] Weakest weakest() const {
    Weakest result = weakest_decision_;
    for (const auto& [number, node] : nodes_)
      if (!node.split && node.bound < result.bound)
        result = {node.bound, fmt::format("node {}, {}", number, node.closed ? "which is closed" : "which is open")};
    return result;
  }
  [[nodiscard]] Index nodes() const { return static_cast<Index>(nodes_.size()); }
  [[nodiscard]] Index points() const { return points_; }

 private:
  struct Node {
    std::int64_t parent = -1;
    double bound = 0;
    std::vector<std::pair<Index, Choice>> decided = {};
    bool closed = false;
    bool split = false;
  };

  [[noreturn]] static void fail(std::int64_t node, const std::string& reason) {
    throw Error(ErrorCode::Numerical, fmt::format("proof: node {}: {}", node, reason));
  }

  Node& open_node(std::int64_t number) {
    const auto place = nodes_.find(number);
    if (place == nodes_.end()) fail(number, "is looked at before a split has made it");
    if (place->second.split) fail(number, "is looked at after it was split");
    if (place->second.closed) fail(number, "is looked at after it was closed");
    return place->second;
  }

  /// The first feature that is none, or does not come after the one before it.
  [[nodiscard]] std::optional<Index> first_misplaced(std::span<const Index> features) const {
    for (std::size_t c = 0; c < features.size(); ++c)
      if (features[c] < 0 || features[c] >= sample_.cols() || (c > 0 && features[c] <= features[c - 1]))
        return features[c];
    return std::nullopt;
  }
  [[nodiscard]] std::string in_order() const {
    return fmt::format("expected ascending features from 0 to {}", sample_.cols() - 1);
  }

  void check_point(const ProofPoint& point) const {
    if (point.support.size() != point.values.size()) fail(point.node, "a point has features without coefficients");
    for (const auto& list : {point.support, point.in, point.out})
      if (const auto j = first_misplaced(list)) fail(point.node, fmt::format("names feature {}; {}", *j, in_order()));
    const auto check_value = [&](double value) {
      if (!(std::abs(value) <= largest_value))
        fail(point.node, fmt::format("a point has the coefficient {}; expected at most {:g}", value, largest_value));
    };
    check_value(point.intercept);
    for (const double b : point.values) check_value(b);
  }

  /// Numbers that are too large are told with their node.
  [[nodiscard]] verify::PointBound bound_of(const ProofPoint& point, std::span<const Choice> choices) const {
    const verify::Diagonal* diagonal = diagonal_of(point, verify::within_budget(sample_, choices));
    try {
      return {sample_, choices, point, diagonal};
    } catch (const Error& error) {
      fail(point.node, error.what());
    }
  }

  /// Solutions on the other side of a decision are bounded by that decision.
  void look_at_features(const verify::PointBound& bound, std::span<const Choice> choices) {
    for (Index j = 0; j < sample_.cols(); ++j) {
      if (choices[j] != Choice::Free) continue;
      if_in_[j] = std::max(if_in_[j], std::min(bound.if_in(j), weakest_decision_at_root_));
      if_out_[j] = std::max(if_out_[j], std::min(bound.if_out(j), weakest_decision_at_root_));
    }
  }

  [[nodiscard]] std::vector<Choice> choices_at(std::int64_t number) const {
    auto choices = start_;
    for (; number >= 0; number = nodes_.at(number).parent)
      for (const auto& [j, choice] : nodes_.at(number).decided) choices[j] = choice;
    return choices;
  }

  /// Features outside the diagonal must be out, and b must not use them.
  const verify::Diagonal* diagonal_of(const ProofPoint& point, std::span<const Choice> choices) const {
    if (point.diagonal < 0) return nullptr;
    const auto place = diagonals_.find(point.diagonal);
    if (place == diagonals_.end())
      fail(point.node, fmt::format("uses diagonal {}, which is not there", point.diagonal));
    const auto& d = place->second.d;
    for (const Index j : point.support)
      if (!d.contains(j)) fail(point.node, fmt::format("uses feature {}, which its diagonal has not", j));
    for (Index j = 0; j < sample_.cols(); ++j)
      if (choices[j] != Choice::Out && !sample_.constant(j) && !d.contains(j))
        fail(point.node, fmt::format("has feature {} neither out nor on its diagonal", j));
    return &place->second;
  }

  void decide(std::int64_t number, Index j, Choice choice, double other_side, std::vector<Choice>& choices) {
    if (choices[j] != Choice::Free) fail(number, fmt::format("decides feature {}, which is decided already", j));
    choices[j] = choice;
    nodes_.at(number).decided.emplace_back(j, choice);
    if (number == 0) weakest_decision_at_root_ = std::min(weakest_decision_at_root_, other_side);
    if (other_side < weakest_decision_.bound)
      weakest_decision_ = {other_side, fmt::format("node {}, where feature {} is decided to be {}", number, j,
                                                   choice == Choice::In ? "in" : "out")};
  }

  verify::Sample sample_;
  verify::DiagonalCheck diagonal_check_{sample_};
  std::vector<Choice> start_;
  std::map<std::int64_t, Node> nodes_;  // numbers are a stranger's: no hash that could be made to collide
  std::map<std::int64_t, verify::Diagonal> diagonals_;
  Weakest weakest_decision_;
  double weakest_decision_at_root_ = std::numeric_limits<double>::infinity();
  std::vector<double> if_in_, if_out_;  // of the whole problem, by feature
  Index points_ = 0;
};

ProofCheck::ProofCheck(const Dataset& data, const Settings& settings) : tree_(std::make_unique<Tree>(data, settings)) {}
ProofCheck::ProofCheck(ProofCheck&& other) noexcept = default;
ProofCheck& ProofCheck::operator=(ProofCheck&& other) noexcept = default;
ProofCheck::~ProofCheck() = default;

void ProofCheck::on_point(const ProofPoint& point) { tree_->add(point); }
void ProofCheck::on_split(std::int64_t node, Index feature, std::int64_t in_node, std::int64_t out_node) {
  tree_->split(node, feature, in_node, out_node);
}
void ProofCheck::on_diagonal(std::int64_t number, std::span<const Index> features, std::span<const double> d) {
  tree_->add_diagonal(number, features, d);
}

void ProofCheck::on_claim(const Claim& claim) { tree_->add(claim); }

double ProofCheck::lower_bound() const { return tree_->weakest().bound; }
Verdict ProofCheck::verdict(Index feature, double objective) const { return tree_->verdict(feature, objective); }
Index ProofCheck::nodes() const { return tree_->nodes(); }
Index ProofCheck::points() const { return tree_->points(); }

void ProofCheck::require(double claimed_lower_bound) const {
  const auto [bound, where] = tree_->weakest();
  if (!(bound >= claimed_lower_bound - claim_tolerance * std::abs(claimed_lower_bound)))
    throw Error(ErrorCode::Numerical,
                fmt::format("proof: lower_bound: {} is claimed; {} is proved ({})", claimed_lower_bound, bound, where));
}

}  // namespace ellzero
