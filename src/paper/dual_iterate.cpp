// The steps of dual_iterate.hpp.
#include "paper/dual_iterate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::paper {
namespace {

/// The b for which Proj_F(alpha - b) adds up to 0: F is a product of intervals, so that is the nearest such point.
template <class L>
double balance(const problem::Problem<L>& problem, std::span<const double> alpha) {
  double low = -std::numeric_limits<double>::infinity(), high = -low, b = 0, reach = 1;
  for (int iteration = 0; iteration < 200; ++iteration) {
    double sum = 0, size = 0, moving = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      const double a = loss::weighted_project(problem.loss, problem.weights[i], alpha[i] - b, problem.y[i]);
      sum += a;
      size += std::abs(a);
      moving += std::abs(a - (alpha[i] - b)) <= 1e-12 * std::abs(a) ? 1 : 0;  // not held by an end of its interval
    }
    if (std::abs(sum) <= 1e-14 * size) return b;
    (sum > 0 ? low : high) = b;
    double next = b + sum / moving;
    if (!(next > low && next < high)) {
      next = std::isfinite(low) && std::isfinite(high) ? 0.5 * (low + high) : b + std::copysign(reach, sum);
      reach *= 2;
    }
    if (next == b) return b;
    b = next;
  }
  return b;
}

}  // namespace

template <class L>
DualIterate<L>::DualIterate(const problem::Problem<L>& problem)
    : problem_(problem), point_(problem::dual_point(problem, start(problem))), u_(alpha().size()) {
  const double heaviest = *std::max_element(problem.weights.begin(), problem.weights.end());
  mu_ = problem.loss.mu() / heaviest;
  double steepest_link = 0;
  for (Index j = 0; j < problem.features.cols(); ++j)
    steepest_link = std::max(steepest_link, problem.features.norm(j) * problem.features.norm(j));
  const double lambda2 = problem.penalty.lambdas().lambda2;
  first_step_ = lambda2 > 0 ? steepest_link / (2 * lambda2 * mu_) : 0;
}

template <class L>
void DualIterate<L>::ascend(double omega) {
  std::vector<double> next(alpha().begin(), alpha().end());
  for (std::size_t i = 0; i < next.size(); ++i) {
    const double slope = problem_.loss.conjugate_derivative(next[i] / problem_.weights[i], problem_.y[i]);
    // At an end of F where l* is infinitely steep, inwards by a tenth of F at most.
    next[i] += std::isfinite(slope) ? omega * (u_[i] - slope)
                                    : -std::copysign(std::min(omega * steepest, 0.1 * problem_.weights[i]), slope);
  }
  const double b0 = problem_.intercept ? balance(problem_, next) : 0;
  for (std::size_t i = 0; i < next.size(); ++i)
    next[i] = loss::weighted_project(problem_.loss, problem_.weights[i], next[i] - b0, problem_.y[i]);
  point_ = problem::feasible_point(problem_, std::move(next));
}

template <class L>
void DualIterate<L>::products(ActiveSet<L>& active) const {
  for (Member& m : active.members) m.tau = active.matrix().dot(m.column, alpha());
}

template <class L>
void DualIterate<L>::apply_link(ActiveSet<L>& active) {
  products(active);
  for (Member& m : active.members) m.link = m.penalty->link(m.tau);
  set_predictor(active);
}

template <class L>
void DualIterate<L>::set_predictor(const ActiveSet<L>& active) {
  std::copy(problem_.offset.begin(), problem_.offset.end(), u_.begin());
  for (const Member& m : active.members)
    if (m.link != 0) active.add_column(m.column, m.link, u_);
}

template <class L>
double DualIterate<L>::bound(const ActiveSet<L>& active, const core::CompensatedSum& others) const {
  problem::BoundSum total = problem::conjugate_sum(problem_, alpha());
  total.sum.add(problem_.penalty.at_zero() * (1 - 4 * core::unit_roundoff));
  for (const Member& m : active.members)
    total.sum.add(m.penalty->psi_below(m.tau, m.error * point_.norm()) - m.penalty->value(0));
  total.sum.add(others);
  return total.value();
}

template <class L>
std::vector<double> DualIterate<L>::start(const problem::Problem<L>& problem) {
  std::vector<double> u(problem.offset.begin(), problem.offset.end());
  if (const double b0 = problem.intercept ? problem::best_intercept(problem, u) : 0; b0 != 0)
    for (double& ui : u) ui += b0;
  return u;
}

#define INSTANTIATE(L) template class DualIterate<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
