// The rounds of search.hpp.
#include "exact/tree/search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ellzero::exact::tree {

SearchOutcome Search::run(OpenNode root, const Tell& tell) {
  push(std::move(root));
  while (!frontier_.empty() && !limited()) {
    const double enough = tolerance();
    const Index left = limits_.nodes - out_.nodes;
    auto round = take_round(std::min(left, subtrees_per_round));
    const Index share = std::min(left / std::max<Index>(std::ssize(round), 1), nodes_per_subtree);
    const SubtreeGoal goal{.cutoff = goal_.cutoff(),
                           .tolerance = enough,
                           .nodes = share,
                           .later = later(),
                           .stop = &stop_,
                           .record = recorder_ != nullptr,
                           .cardinality = limits_.cardinality,
                           .every_support = goal_.every_support(),
                           .symmetry = symmetry_};
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
      if (outcome.value < goal_.objective()) goal_.try_support(outcome.support, outcome.discarded);
      for (const Leaf& leaf : outcome.leaves) goal_.try_support(leaf.support, leaf.bound);
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

double Search::tolerance() const {
  return 0.01 * (goal_.cutoff() - lower_bound()) + 1e-12 * std::abs(goal_.objective());
}

double Search::beyond() const { return frontier_.empty() ? discarded_ : std::min(discarded_, frontier_.front().bound); }

void Search::discard(const OpenNode& node) {
  discarded_ = std::min(discarded_, recorder_ != nullptr ? node.own_bound : node.bound);
  if (recorder_ != nullptr) recorder_->close(node);
}

double Search::later() const {
  constexpr double near = 0.05;
  return lower_bound() + near * (goal_.cutoff() - lower_bound());
}

void Search::push(OpenNode node) {
  bytes_ += bytes_of(node);
  frontier_.push_back(std::move(node));
  std::push_heap(frontier_.begin(), frontier_.end(), after);
}

std::size_t Search::bytes_of(const OpenNode& node) {
  return sizeof(node) + (node.in.size() + node.out.size() + 2 * node.start.size()) * sizeof(Index);
}

std::vector<OpenNode> Search::take_round(Index most) {
  std::vector<OpenNode> round;
  while (!frontier_.empty() && std::ssize(round) < most) {
    std::pop_heap(frontier_.begin(), frontier_.end(), after);
    bytes_ -= bytes_of(frontier_.back());
    if (frontier_.back().bound >= goal_.cutoff()) discard(frontier_.back());
    else round.push_back(std::move(frontier_.back()));
    frontier_.pop_back();
  }
  return round;
}

bool Search::limited() {
  if (stop_.now()) out_.limit = stop_.reason();
  else if (out_.nodes >= limits_.nodes) out_.limit = Status::NodeLimit;
  else if (bytes_ > limits_.bytes) out_.limit = Status::MemoryLimit;
  return out_.limit.has_value();
}

}  // namespace ellzero::exact::tree
