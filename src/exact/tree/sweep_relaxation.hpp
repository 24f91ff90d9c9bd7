// Relaxations of a subtree's nodes by sweeps over all features, for any loss.
#pragma once

#include <span>
#include <vector>

#include "core/stop.hpp"
#include "exact/node.hpp"
#include "problem/problem.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::exact::tree {

template <class L>
class SweepRelaxation {
 public:
  SweepRelaxation(const problem::Problem<L>& problem, const OpenNode& root, core::Stop& stop);

  [[nodiscard]] Index size() const { return static_cast<Index>(features_.size()); }
  [[nodiscard]] Index feature(Index i) const { return features_[i]; }
  [[nodiscard]] const Coordinate& free(Index i) const { return problem_.penalty[features_[i]]; }

  void begin(std::vector<Fix>& fixes, std::vector<double>& b) const;

  double solve(std::vector<Fix>& fixes, std::vector<double>& b, const NodeGoal& goal);

  [[nodiscard]] problem::Coefficients point(std::span<const double> b) const;
  [[nodiscard]] double intercept() const { return intercept_; }
  [[nodiscard]] static std::span<const double> diagonal() { return {}; }
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] double bound_if_in(Index i) const { return if_in_[i]; }
  [[nodiscard]] double bound_if_out(Index i) const { return if_out_[i]; }
  static bool settle(std::span<const Fix> /*fixes*/, std::span<const double> /*b*/, double /*bound*/, double /*cutoff*/,
                     double& /*discarded*/);
  [[nodiscard]] static bool outgrown(std::span<const Fix> /*fixes*/, double /*bound*/, double /*cutoff*/);
  [[nodiscard]] static bool complete() { return true; }
  [[nodiscard]] std::vector<Index> alive() const;

 private:
  [[nodiscard]] problem::Coefficients coefficients(std::span<const Fix> fixes, std::span<const double> b) const;

  const problem::Problem<L>& problem_;
  core::Stop* stop_;
  std::vector<Index> features_;  // those that are in first
  std::size_t in_ = 0;
  std::vector<Index> gone_;  // neither in nor alive
  std::vector<double> start_;
  double intercept_ = 0;
  double bound_ = 0, value_ = 0;
  std::vector<double> if_in_, if_out_;
};

}  // namespace ellzero::exact::tree
