// The part of a quadratic problem that a subtree works on: a few features with their inner products side by side.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "exact/gram/quadratic.hpp"
#include "exact/node.hpp"

namespace ellzero::exact::gram {

struct Compact {
  std::vector<Index> features;  ///< places in the Quadratic
  Index capacity = 0;
  std::unique_ptr<double[]> H;  ///< features i and j at H[i * capacity + j]
  std::vector<double> c;
  std::vector<double> d;  ///< what has moved from the diagonal of H into lambda2 (7.3)
  std::vector<ColumnSize> sizes;
  std::vector<Coordinate> free, in;
  double constant = 0;
  ColumnSize target;

  /// Features that were left out because tau_j is far below its threshold at the reference point.
  struct Far {
    double reach;  ///< tau_j stays below while alpha moves less than this
    Index feature;
    bool joined = false;  ///< it is among `features` by now
  };
  std::vector<Far> far;       ///< ascending
  std::vector<double> far_c;  ///< c of each
  std::vector<double> reference_b, reference_tau;

  Compact(const Quadratic& quadratic, std::vector<Index> chosen);

  [[nodiscard]] Index size() const { return static_cast<Index>(features.size()); }
  [[nodiscard]] const double* row(Index i) const { return H.get() + i * capacity; }
  /// tau of the first `count` far features at b.
  void far_tau(const Quadratic& quadratic, std::span<const double> b, std::size_t count, std::vector<double>& tau);
  /// One of the far features joins.
  void append(const Quadratic& quadratic, Far& joining);
  void set_far(const Quadratic& quadratic, std::vector<Far> others);
  void move_diagonal(Index i, double to);
  /// The point that reaches are measured from.
  void set_reference(std::span<const double> b);

 private:
  std::vector<std::vector<double>> far_rows_;  // products with the first few far features, as far as they were needed
  std::vector<double> all_;                    // tau of all features
};

/// The features that a node's subtree holds side by side: those that are in, those that start nonzero, and those
/// nearest to their threshold at the start. The others alive are far.
Compact choose_near(const Quadratic& quadratic, const OpenNode& root);

struct FarTau {
  std::vector<double> tau;  ///< one for each far feature
  double error = 0;         ///< times a column's norm: how far off each may be
};
FarTau far_tau_at(const Quadratic& quadratic, Compact& compact, std::span<const double> b);

}  // namespace ellzero::exact::gram
