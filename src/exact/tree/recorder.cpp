// The records of recorder.hpp.
#include "exact/tree/recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace ellzero::exact::tree {

void Recorder::whole_diagonal(const gram::Quadratic& quadratic) {
  if (sink_ == nullptr) return;
  std::vector<Index> features;
  std::vector<double> d;
  for (Index j = 0; j < quadratic.size(); ++j)
    if (quadratic.column(j).norm > 0) {
      features.push_back(j);
      d.push_back(quadratic.d(j));
    }
  whole_ = diagonals_++;
  sink_->on_diagonal(whole_, features, d);
}

void Recorder::start(problem::Coefficients beta) {
  if (sink_ == nullptr) return;
  put_in_order(beta.support, beta.values);
  sink_->on_point(
      {.intercept = beta.intercept + shift_, .support = beta.support, .values = beta.values, .in = {}, .out = {}});
}

void Recorder::reduce(const gram::Elimination& elimination) {
  reduced_ = &elimination;
  whole_ = -1;
}

void Recorder::take(SubtreeOutcome& outcome) {
  const std::int64_t first = nodes_;
  nodes_ += outcome.created;
  const auto number = [&](std::int64_t node) { return node < 0 ? first - 1 - node : node; };
  std::int64_t own = -1;
  for (ProofEvent& event : outcome.events) {
    if (reduced_ != nullptr) widen(event);
    switch (event.kind) {
      case ProofEvent::Kind::Diagonal:
        own = diagonals_++;
        put_in_order(event.features, event.d);
        sink_->on_diagonal(own, event.features, event.d);
        break;
      case ProofEvent::Kind::Split:
        sink_->on_split(number(event.node), event.feature, number(event.in_node), number(event.out_node));
        break;
      case ProofEvent::Kind::Point:
        std::sort(event.in.begin(), event.in.end());
        std::sort(event.out.begin(), event.out.end());
        put_in_order(event.point.support, event.point.values);
        sink_->on_point({.node = number(event.node),
                         .intercept = event.point.intercept + shift_,
                         .support = event.point.support,
                         .values = event.point.values,
                         .in = event.in,
                         .out = event.out,
                         .closes = event.closes,
                         .diagonal = event.own_diagonal ? own : whole_});
    }
  }
  for (OpenNode& node : outcome.open) {
    node.number = number(node.number);
    node.diagonal = node.own_diagonal ? own : whole_;
  }
}

void Recorder::look_at(const OpenNode& node, bool closes) {
  problem::Coefficients point{node.intercept};
  for (const auto& [j, value] : node.start) {
    point.support.push_back(j);
    point.values.push_back(value);
  }
  if (reduced_ != nullptr) point = reduced_->whole(point);
  put_in_order(point.support, point.values);
  sink_->on_point({.node = node.number,
                   .intercept = point.intercept + shift_,
                   .support = point.support,
                   .values = point.values,
                   .in = {},
                   .out = {},
                   .closes = closes,
                   .diagonal = node.diagonal});
}

void Recorder::put_in_order(std::vector<Index>& features, std::vector<double>& values) {
  if (std::is_sorted(features.begin(), features.end())) return;
  std::vector<std::pair<Index, double>> pairs;
  for (std::size_t c = 0; c < features.size(); ++c) pairs.emplace_back(features[c], values[c]);
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t c = 0; c < features.size(); ++c) std::tie(features[c], values[c]) = pairs[c];
}

void Recorder::widen(ProofEvent& event) const {
  switch (event.kind) {
    case ProofEvent::Kind::Diagonal:
      return reduced_->widen(event.features, event.d);
    case ProofEvent::Kind::Split:
      event.feature = reduced_->rest[event.feature];
      return;
    case ProofEvent::Kind::Point:
      event.point = reduced_->whole(event.point);
      for (auto* list : {&event.in, &event.out})
        for (Index& j : *list) j = reduced_->rest[j];
  }
}

}  // namespace ellzero::exact::tree
