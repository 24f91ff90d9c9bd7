// Relaxations of a subtree's nodes by sweeps over all features, for any loss.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "exact/node.hpp"
#include "problem/problem.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::exact {

template <class L>
class SweepRelaxation {
 public:
  SweepRelaxation(const problem::Problem<L>& problem, const OpenNode& root, core::Stop& stop)
      : problem_(problem), stop_(&stop), features_(root.in) {
    std::vector<char> decided(static_cast<std::size_t>(problem.features.cols()), 0);
    for (const auto* list : {&root.in, &root.out})
      for (const Index j : *list) decided[j] = 1;
    for (const Index j : *root.alive)
      if (decided[j] == 0) features_.push_back(j);
    std::vector<char> alive(decided.size(), 0);
    for (const Index j : features_) alive[j] = 1;
    for (Index j = 0; j < problem.features.cols(); ++j)
      if (alive[j] == 0) gone_.push_back(j);
    start_.resize(features_.size(), 0.0);
    in_ = root.in.size();
    for (const auto& [j, value] : root.start)
      if (const auto at = std::find(features_.begin(), features_.end(), j); at != features_.end())
        start_[static_cast<std::size_t>(at - features_.begin())] = value;
  }

  [[nodiscard]] Index size() const { return static_cast<Index>(features_.size()); }
  [[nodiscard]] Index feature(Index i) const { return features_[i]; }
  [[nodiscard]] const Coordinate& free(Index i) const { return problem_.penalty[features_[i]]; }

  void begin(std::vector<Fix>& fixes, std::vector<double>& b) const {
    fixes.assign(features_.size(), Fix::Free);
    std::fill_n(fixes.begin(), in_, Fix::In);
    b = start_;
  }

  double solve(std::vector<Fix>& fixes, std::vector<double>& b, const NodeGoal& goal) {
    std::vector<Index> in, out = gone_;
    for (Index i = 0; i < size(); ++i) {
      if (fixes[i] == Fix::In) in.push_back(features_[i]);
      if (fixes[i] == Fix::Out) out.push_back(features_[i]);
    }
    auto node = problem_;
    node.penalty = problem_.penalty.decided(in, out, problem_.features.cols());
    solve::RelaxedSolver<L> solver(node);
    solver.start_from(coefficients(fixes, b));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double tolerance = std::max(goal.tolerance / std::max(std::abs(goal.cutoff), 1e-300), 1e-13);
    const auto outcome = solver.solve({tolerance, goal.in_full ? infinity : goal.cutoff}, *stop_);
    bound_ = outcome.lower_bound;
    value_ = bound_ + outcome.gap;
    intercept_ = outcome.beta.intercept;
    std::fill(b.begin(), b.end(), 0.0);
    std::vector<double> all(static_cast<std::size_t>(problem_.features.cols()), 0.0);
    for (std::size_t c = 0; c < outcome.beta.support.size(); ++c) all[outcome.beta.support[c]] = outcome.beta.values[c];
    if_in_.assign(features_.size(), bound_);
    if_out_.assign(features_.size(), bound_);
    for (Index i = 0; i < size(); ++i) {
      const Index j = features_[i];
      b[i] = all[j];
      const double error = problem_.features.dot_error(j) * outcome.alpha_norm;
      const double without = outcome.dual_value - node.penalty[j].psi_below(outcome.tau[j], error);
      if_in_[i] = without + problem_.penalty.in_model(j).psi_below(outcome.tau[j], error);
      if_out_[i] = without;
    }
    return bound_;
  }

  [[nodiscard]] problem::Coefficients point(std::span<const double> b) const {
    return coefficients(std::vector<Fix>(features_.size(), Fix::Free), b);
  }
  [[nodiscard]] double intercept() const { return intercept_; }
  [[nodiscard]] static std::span<const double> diagonal() { return {}; }
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] double bound_if_in(Index i) const { return if_in_[i]; }
  [[nodiscard]] double bound_if_out(Index i) const { return if_out_[i]; }
  static bool settle(std::span<const Fix> /*fixes*/, std::span<const double> /*b*/, double /*bound*/, double /*cutoff*/,
                     double& /*discarded*/) {
    return false;
  }
  [[nodiscard]] static bool outgrown(std::span<const Fix> /*fixes*/, double /*bound*/, double /*cutoff*/) {
    return false;
  }
  [[nodiscard]] static bool complete() { return true; }
  [[nodiscard]] std::vector<Index> alive() const {
    auto result = features_;
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  [[nodiscard]] problem::Coefficients coefficients(std::span<const Fix> fixes, std::span<const double> b) const {
    std::vector<std::pair<Index, double>> nonzero;
    for (Index i = 0; i < size(); ++i)
      if (b[i] != 0 && fixes[i] != Fix::Out) nonzero.emplace_back(features_[i], b[i]);
    std::sort(nonzero.begin(), nonzero.end());
    problem::Coefficients beta{intercept_};
    for (const auto& [j, value] : nonzero) {
      beta.support.push_back(j);
      beta.values.push_back(value);
    }
    return beta;
  }

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

}  // namespace ellzero::exact
