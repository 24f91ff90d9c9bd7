// The search of budget.hpp.
#include "select/budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::select {

template <class L>
problem::Problem<L> at_price(const problem::Problem<L>& problem, double lambda0) {
  auto priced = problem;
  const auto& lambdas = problem.penalty.lambdas();
  priced.penalty = problem.penalty.with({lambda0, lambdas.lambda1, lambdas.lambda2});
  return priced;
}

template <class L>
Budget<L>::Budget(const problem::Problem<L>& free, Index k, const solve::SearchSettings& settings, core::Stop& stop,
                  std::shared_ptr<solve::FeatureGram> gram)
    : free_(free), guide_(solve::guiding(free)), k_(k), settings_(settings), stop_(stop), gram_(std::move(gram)) {
  settings_.limit = k - free.penalty.always_in_count();
}

template <class L>
void Budget<L>::go_on(solve::Incumbent from, BudgetOutcome& out) {
  out.best = std::move(from);
  search_support(out.lambda0, out.relaxed, out);
}

template <class L>
BudgetOutcome Budget<L>::run() {
  BudgetOutcome out;
  out.lower_bound = -std::numeric_limits<double>::infinity();
  out.best = solve::best_on_support(free_, always_in(free_.penalty, free_.features.cols()), stop_);
  if (!free_.penalty.may_need_scaling()) {
    search_price(free_, out);
    search_support(out.lambda0, out.relaxed, out);
    return out;
  }
  problem::Coefficients none;
  try_price(free_, 0, precise, none, out);  // no price proves more without ridge or bounds
  BudgetOutcome where;
  where.best = out.best;
  where.lower_bound = -std::numeric_limits<double>::infinity();
  search_price(guide_, where);
  out.sweeps += where.sweeps;
  search_support(where.lambda0, where.relaxed, out);
  return out;
}

template <class L>
double Budget<L>::used(const penalty::Penalty& penalty, const problem::Coefficients& beta) const {
  auto total = static_cast<double>(penalty.always_in_count());
  for (std::size_t c = 0; c < beta.support.size(); ++c)
    if (const Index j = beta.support[c]; !penalty.always_in(j))
      total += std::min(1.0, std::abs(beta.values[c]) / penalty[j].knee(beta.values[c]));
  return total;
}

template <class L>
double Budget<L>::try_price(const problem::Problem<L>& problem, double lambda0, double tolerance,
                            problem::Coefficients& warm, BudgetOutcome& out) {
  const auto priced = at_price(problem, lambda0);
  solve::RelaxedSolver<L> solver(priced);
  solver.start_from(warm);
  auto relaxed = solver.solve({tolerance}, stop_);
  out.sweeps += relaxed.sweeps;
  warm = relaxed.beta;
  const double count = used(priced.penalty, relaxed.beta);
  const double cost = static_cast<double>(k_) * lambda0;
  const double bound = relaxed.lower_bound - cost - 4 * core::unit_roundoff * (std::abs(relaxed.lower_bound) + cost);
  if (bound > out.lower_bound) {
    out.lower_bound = bound;
    out.lambda0 = lambda0;
    out.relaxed = std::move(relaxed);
  }
  return count;
}

template <class L>
void Budget<L>::search_price(const problem::Problem<L>& problem, BudgetOutcome& out) {
  const auto budget = static_cast<double>(k_);
  problem::Coefficients warm;
  double high = std::max(out.best.objective, std::numeric_limits<double>::min()) / (budget + 1), low = 0;
  const double lowest = 1e-9 * high, highest = 1e9 * high;
  for (; high < highest && !stop_.now() && try_price(problem, high, rough, warm, out) > budget; high *= 4) low = high;
  for (double price = 0.25 * high; low == 0 && price > lowest && !stop_.now(); price *= 0.25)
    (try_price(problem, price, rough, warm, out) > budget ? low : high) = price;
  if (low == 0) {
    try_price(problem, 0, settings_.proves ? precise : rough, warm, out);  // the budget hardly binds
    return;
  }
  for (int step = 0; step < 40 && high - low > 1e-6 * high && !stop_.now(); ++step) {
    const double middle = 0.5 * (low + high);
    const double count = try_price(problem, middle, rough, warm, out);
    if (std::abs(count - budget) < 1e-3) break;
    (count > budget ? low : high) = middle;
  }
  if (!settings_.proves) return;
  warm = out.relaxed.beta;
  try_price(problem, out.lambda0, precise, warm, out);
}

template <class L>
void Budget<L>::search_support(double lambda0, const solve::RelaxedOutcome& relaxed, BudgetOutcome& out) {
  const auto priced = at_price(guide_, lambda0);
  const auto& beta = relaxed.beta;
  std::vector<std::pair<double, Index>> order;  // the relaxed solution's largest indicators first
  for (std::size_t c = 0; c < beta.support.size(); ++c) order.emplace_back(-std::abs(beta.values[c]), beta.support[c]);
  std::sort(order.begin(), order.end());
  std::vector<Index> support = always_in(free_.penalty, free_.features.cols());
  for (const auto& entry : order)
    if (static_cast<Index>(support.size()) < k_ && !free_.penalty.always_in(entry.second))
      support.push_back(entry.second);
  std::sort(support.begin(), support.end());
  solve::try_support(free_, support, out.best, stop_);
  solve::Candidates candidates(
      free_,
      solve::choose_candidates(priced, relaxed, out.best.beta.support, best_correlated(out.best),
                               settings_.candidates(relaxed.beta.support.size())),
      *gram_);
  out.searches += solve::local_search(free_, candidates, settings_, out.best, stop_);
}

template <class L>
std::vector<Index> Budget<L>::best_correlated(const solve::Incumbent& at) {
  const auto alpha = problem::gradient(free_, at.u);
  std::vector<double> tau(static_cast<std::size_t>(free_.features.cols()));
  (void)free_.features.sweep(alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), features::StoreAll{tau});
  std::vector<std::pair<double, Index>> order;
  for (Index j = 0; j < free_.features.cols(); ++j)
    if (const double norm = free_.features.norm(j); norm > 0) order.emplace_back(-std::abs(tau[j]) / norm, j);
  const std::size_t wanted = std::min<std::size_t>(order.size(), 50);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), order.end());
  std::vector<Index> features;
  for (std::size_t c = 0; c < wanted; ++c) features.push_back(order[c].second);
  return features;
}

#define INSTANTIATE(L)                                                                       \
  template problem::Problem<L> at_price(const problem::Problem<L>& problem, double lambda0); \
  template class Budget<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::select
