// The descent of descent.hpp.
#include "solve/descent.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::solve {

template <class L>
double hard_gain(const problem::Problem<L>& problem, Index j, double tau) {
  const double lipschitz = problem.features.norm(j) * problem.features.norm(j) / problem.loss.mu();
  if (lipschitz == 0) return 0;
  const auto& coordinate = problem.penalty[j];
  const double b = coordinate.hard_step(lipschitz, -tau);
  return b == 0 ? 0 : -(tau * b + 0.5 * lipschitz * b * b + coordinate.value(b) - coordinate.value(0));
}

template <class L>
std::vector<std::pair<double, Index>> entrants(const problem::Problem<L>& problem, const Incumbent& at,
                                               screening::LazyTau& tau) {
  std::vector<char> used(static_cast<std::size_t>(problem.features.cols()), 0);
  for (const Index j : at.beta.support) used[j] = 1;
  const double least_gain = 1e-10 * std::abs(at.objective);
  const auto gains = [&](Index j, double tau_j) { return used[j] == 0 && hard_gain(problem, j, tau_j) > least_gain; };
  const auto undecided = [&](Index j, double tau_j, double radius) {
    return gains(j, tau_j - radius) || gains(j, tau_j + radius);  // (6.3)
  };
  const auto alpha = problem::gradient(problem, at.u);
  const double sum_alpha = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  std::vector<std::pair<double, Index>> result;
  for (const auto& [j, tau_j] : tau.sweep(alpha, sum_alpha, undecided, screening::Shown{}).features)
    if (gains(j, tau_j)) result.emplace_back(hard_gain(problem, j, tau_j), j);
  return result;
}

#define INSTANTIATE(L)                                                                                             \
  template double hard_gain(const problem::Problem<L>& problem, Index j, double tau);                              \
  template std::vector<std::pair<double, Index>> entrants(const problem::Problem<L>& problem, const Incumbent& at, \
                                                          screening::LazyTau& tau);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
