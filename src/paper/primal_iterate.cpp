// The steps of primal_iterate.hpp.
#include "paper/primal_iterate.hpp"

#include <cstddef>
#include <numeric>
#include <span>

#include "loss/all.hpp"

namespace ellzero::paper {

template <class L>
void PrimalIterate<L>::start(std::span<const double> u) {
  u_.assign(u.begin(), u.end());
  intercept_ = 0;
  settle();
}

template <class L>
void PrimalIterate<L>::hard_steps(ActiveSet<L>& active) {
  for (Member& m : active.members) {
    const double tau = active.matrix().dot(m.column, alpha_) - active.matrix().centre(m.column) * alpha_sum_;
    const double b = m.penalty->hard_step(m.lipschitz, m.lipschitz * m.beta - tau);
    if (b == m.beta) continue;
    move(active, m.column, b - m.beta);
    m.beta = b;
  }
  settle();
}

template <class L>
double PrimalIterate<L>::objective(const problem::Coefficients& beta) const {
  return problem::objective(problem_, u_, beta);
}

template <class L>
void PrimalIterate<L>::move(const ActiveSet<L>& active, Index column, double by) {
  active.add_column(column, by, u_);
  if (L::quadratic && active.matrix().centre(column) == 0)
    active.matrix().axpy(column, by, problem_.weights, alpha_);  // l' is linear: only the column's rows change
  else renew();
}

template <class L>
void PrimalIterate<L>::settle() {
  if (problem_.intercept) {
    const double by = problem::best_intercept(problem_, u_);
    intercept_ += by;
    for (double& ui : u_) ui += by;
  }
  renew();
}

template <class L>
void PrimalIterate<L>::renew() {
  for (std::size_t i = 0; i < u_.size(); ++i)
    alpha_[i] = problem_.weights[i] * problem_.loss.derivative(u_[i], problem_.y[i]);
  alpha_sum_ = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
}

#define INSTANTIATE(L) template class PrimalIterate<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
