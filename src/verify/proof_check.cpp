// The walk over a proof's tree behind ProofCheck.
//
// A node knows its parent and what it has decided; what holds at a node is collected on the way to the root. The bound
// of a leaf is the best that a point at it, or at a node above it, proves; the proof's bound is the least over all
// leaves, and over the other side of every decision that a point has made.                              (7.1), (6.1)
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/verify.hpp"
#include "verify/diagonal.hpp"
#include "verify/point_bound.hpp"

namespace ellzero {

using verify::Choice;

class ProofCheck::Tree {
 public:
  Tree(const Dataset& data, const Settings& settings) : sample_(data, settings) {
    for (Index j = 0; j < sample_.cols(); ++j)
      start_.push_back(sample_.always(j) ? Choice::In : sample_.scale(j) == 0 ? Choice::Out : Choice::Free);
    const auto always = std::count(start_.begin(), start_.end(), Choice::In);
    nodes_.try_emplace(0, Node{-1, verify::least_bound(sample_, always)});  // D(0), without any point
  }

  void add(const ProofPoint& point) {
    Node& node = open_node(point.node);
    check_point(point);
    auto choices = choices_at(point.node);
    const verify::PointBound bound(sample_, choices, point, diagonal_of(point, choices));
    node.bound = std::max(node.bound, bound.node());
    for (const Index j : point.out) decide(point.node, j, Choice::Out, bound.if_in(j), choices);
    for (const Index j : point.in) decide(point.node, j, Choice::In, bound.if_out(j), choices);
    node.closed = point.closes;
    ++points_;
  }

  void split(std::int64_t number, Index feature, std::int64_t in_node, std::int64_t out_node) {
    Node& node = open_node(number);
    check_feature(number, feature);
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
    if (features.size() != d.size()) refuse("has as many numbers as features no more");
    verify::Diagonal diagonal;
    for (std::size_t c = 0; c < d.size(); ++c) {
      if (features[c] < 0 || features[c] >= sample_.cols()) refuse(fmt::format("has feature {}", features[c]));
      if (!std::isfinite(d[c]) || d[c] < -2 * *sample_.settings().lambda2)
        refuse(fmt::format("is {} at feature {}; expected -2 lambda2 or above", d[c], features[c]));
      if (!diagonal.d.emplace(features[c], d[c]).second) refuse(fmt::format("has feature {} twice", features[c]));
    }
    if (!diagonal_check_.leaves_semidefinite(features, d))
      refuse("what it leaves of X'WX is not positive semidefinite");
    if (!diagonals_.emplace(number, std::move(diagonal)).second) refuse("is there twice");
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

  void check_feature(std::int64_t node, Index j) const {
    if (j < 0 || j >= sample_.cols())
      fail(node, fmt::format("names feature {}; expected 0 to {}", j, sample_.cols() - 1));
  }

  void check_point(const ProofPoint& point) const {
    if (point.support.size() != point.values.size() || !std::isfinite(point.intercept))
      fail(point.node, "a point has features without coefficients, or an intercept that is no number");
    for (const auto& list : {point.support, point.in, point.out})
      for (const Index j : list) check_feature(point.node, j);
    for (const double b : point.values)
      if (!std::isfinite(b)) fail(point.node, fmt::format("a point has the coefficient {}", b));
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
      if (choices[j] != Choice::Out && sample_.scale(j) != 0 && !d.contains(j))
        fail(point.node, fmt::format("has feature {} neither out nor on its diagonal", j));
    return &place->second;
  }

  void decide(std::int64_t number, Index j, Choice choice, double other_side, std::vector<Choice>& choices) {
    if (choices[j] != Choice::Free) fail(number, fmt::format("decides feature {}, which is decided already", j));
    choices[j] = choice;
    nodes_.at(number).decided.emplace_back(j, choice);
    if (other_side < weakest_decision_.bound)
      weakest_decision_ = {other_side, fmt::format("node {}, where feature {} is decided to be {}", number, j,
                                                   choice == Choice::In ? "in" : "out")};
  }

  verify::Sample sample_;
  verify::DiagonalCheck diagonal_check_{sample_};
  std::vector<Choice> start_;
  std::unordered_map<std::int64_t, Node> nodes_;
  std::unordered_map<std::int64_t, verify::Diagonal> diagonals_;
  Weakest weakest_decision_;
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

double ProofCheck::lower_bound() const { return tree_->weakest().bound; }
Index ProofCheck::nodes() const { return tree_->nodes(); }
Index ProofCheck::points() const { return tree_->points(); }

void ProofCheck::require(double claimed_lower_bound) const {
  const auto [bound, where] = tree_->weakest();
  if (!(bound >= claimed_lower_bound - claim_tolerance * std::abs(claimed_lower_bound)))
    throw Error(ErrorCode::Numerical,
                fmt::format("proof: lower_bound: {} is claimed; {} is proved ({})", claimed_lower_bound, bound, where));
}

}  // namespace ellzero
