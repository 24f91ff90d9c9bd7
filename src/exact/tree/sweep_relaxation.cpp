// The relaxations of sweep_relaxation.hpp.
#include "exact/tree/sweep_relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::exact::tree {

template <class L>
SweepRelaxation<L>::SweepRelaxation(const problem::Problem<L>& problem, const OpenNode& root, core::Stop& stop)
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

template <class L>
void SweepRelaxation<L>::begin(std::vector<Fix>& fixes, std::vector<double>& b) const {
  fixes.assign(features_.size(), Fix::Free);
  std::fill_n(fixes.begin(), in_, Fix::In);
  b = start_;
}

template <class L>
double SweepRelaxation<L>::solve(std::vector<Fix>& fixes, std::vector<double>& b, const NodeGoal& goal) {
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

template <class L>
problem::Coefficients SweepRelaxation<L>::point(std::span<const double> b) const {
  return coefficients(std::vector<Fix>(features_.size(), Fix::Free), b);
}

template <class L>
bool SweepRelaxation<L>::settle(std::span<const Fix> /*fixes*/, std::span<const double> /*b*/, double /*bound*/,
                                double /*cutoff*/, double& /*discarded*/) {
  return false;
}

template <class L>
bool SweepRelaxation<L>::outgrown(std::span<const Fix> /*fixes*/, double /*bound*/, double /*cutoff*/) {
  return false;
}

template <class L>
std::vector<Index> SweepRelaxation<L>::alive() const {
  auto result = features_;
  std::sort(result.begin(), result.end());
  return result;
}

template <class L>
problem::Coefficients SweepRelaxation<L>::coefficients(std::span<const Fix> fixes, std::span<const double> b) const {
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

#define INSTANTIATE(L) template class SweepRelaxation<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::exact::tree
