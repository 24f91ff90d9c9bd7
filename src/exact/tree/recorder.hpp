// Numbers the events of subtrees and hands them to the caller's ProofSink.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "ellzero/proof.hpp"
#include "exact/gram/eliminate.hpp"
#include "exact/gram/quadratic.hpp"
#include "exact/node.hpp"
#include "exact/tree/subtree_outcome.hpp"

namespace ellzero::exact::tree {

class Recorder {
 public:
  /// `shift` is what the solver's intercepts are short of.
  Recorder(ProofSink* sink, double shift) : sink_(sink), shift_(shift) {}

  /// The diagonal of the whole problem, which points use unless their subtree has its own.
  void whole_diagonal(const gram::Quadratic& quadratic);

  /// What is known of the whole problem before anything is decided.
  void start(problem::Coefficients beta);

  /// From now on events are those of a reduced problem; none of its points use the whole problem's diagonal.
  void reduce(const gram::Elimination& elimination);

  /// Passes on what happened in a subtree, and gives its open nodes their numbers.
  void take(SubtreeOutcome& outcome);

  /// A node that is open and stays so: its start proves what is known of it.
  void close(const OpenNode& node) { look_at(node, true); }

  /// What an open node's start proves.
  void look_at(const OpenNode& node, bool closes = false);

 private:
  /// Lists of a proof are ascending.
  static void put_in_order(std::vector<Index>& features, std::vector<double>& values);

  /// An event of the reduced problem in the terms of the whole one.
  void widen(ProofEvent& event) const;

  ProofSink* sink_;
  double shift_;
  const gram::Elimination* reduced_ = nullptr;
  std::int64_t nodes_ = 1;  // node 0 is the whole problem
  std::int64_t diagonals_ = 0;
  std::int64_t whole_ = -1;
};

}  // namespace ellzero::exact::tree
