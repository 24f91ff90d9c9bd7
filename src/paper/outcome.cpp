// The steps of outcome.hpp.
#include "paper/outcome.hpp"

#include "loss/all.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace ellzero::paper {

void Record::offer_primal(double objective, problem::Coefficients beta) {
  if (!(objective < objective_)) return;
  objective_ = objective;
  beta_ = std::move(beta);
}

void Record::offer_dual(double value, std::span<const double> alpha, bool valid) {
  if (valid) bound_ = std::max(bound_, value);
  if (!(value > value_) && !alpha_.empty()) return;
  value_ = value;
  alpha_.assign(alpha.begin(), alpha.end());
}

template <class L>
Outcome Record::conclude(const problem::Problem<L>& problem, const StoppingRule& stopping) const {
  Outcome out;
  out.best.beta = beta_;
  out.best.u = problem::predictor(problem, beta_);
  out.best.objective = problem::objective(problem, out.best.u, beta_);
  const auto point = problem::feasible_point(problem, alpha_);
  out.tau.resize(static_cast<std::size_t>(problem.features.cols()));
  out.dual_value = problem::dual_value(problem, point, out.tau);
  out.alpha_norm = point.norm();
  out.lower_bound = std::max({out.dual_value, bound_, problem::least_bound(problem)});
  out.price = problem.penalty.lambdas().lambda0;
  out.status = stopping.status();
  out.swings = stopping.swings();
  out.iterations = stopping.iterations();
  return out;
}

#define INSTANTIATE(L) template Outcome Record::conclude(const problem::Problem<L>&, const StoppingRule&) const;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
