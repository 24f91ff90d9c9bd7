// The budget form: at most k features in place of a price per feature (1.3).
//
// Bound: for every price lambda0, max D_{lambda0} - k lambda0 is a lower bound, concave in lambda0 with slope
// (sum of relaxed indicators) - k, so bisection finds the best price                                             (7.2)
// Incumbent: local search among supports of at most k features, started where the best price points.
#pragma once

#include <memory>
#include <vector>

#include "core/stop.hpp"
#include "select/neighbours.hpp"
#include "solve/local_search.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::select {

struct BudgetOutcome {
  solve::Incumbent best;
  solve::RelaxedOutcome relaxed;  ///< of the problem at the price below; its bound is of P + lambda0 |b|_0
  double lambda0 = 0;             ///< the price that proves most
  double lower_bound = 0;         ///< of the budget form
  Index searches = 0;
  Index sweeps = 0;
};

template <class L>
problem::Problem<L> at_price(const problem::Problem<L>& problem, double lambda0);

/// `free` is the problem at price 0, whose objective is the budget form's.
template <class L>
class Budget {
 public:
  Budget(const problem::Problem<L>& free, Index k, const solve::SearchSettings& settings, core::Stop& stop)
      : Budget(free, k, settings, stop, std::make_shared<solve::FeatureGram>(free.features)) {}

  /// With products that are known from elsewhere; more of them are left in `gram`.
  Budget(const problem::Problem<L>& free, Index k, const solve::SearchSettings& settings, core::Stop& stop,
         std::shared_ptr<solve::FeatureGram> gram);

  /// Goes on with what run() returned from a better solution that was found elsewhere.
  void go_on(solve::Incumbent from, BudgetOutcome& out);

  BudgetOutcome run();

 private:
  static constexpr double precise = 1e-9, rough = 1e-4;

  /// sum_j z_j of a relaxed solution: how many features it uses, fractions counted                                (4.1)
  [[nodiscard]] double used(const penalty::Penalty& penalty, const problem::Coefficients& beta) const;

  /// Solves the relaxation at one price and keeps it if it proves more; returns how many features it uses.
  double try_price(const problem::Problem<L>& problem, double lambda0, double tolerance, problem::Coefficients& warm,
                   BudgetOutcome& out);

  /// From a high price, at which no more than k features are used and relaxations are small, down until more are; then
  /// bisection. Rough solves do to steer, since every bound is valid; the best price is solved again in full.
  void search_price(const problem::Problem<L>& problem, BudgetOutcome& out);

  void search_support(double lambda0, const solve::RelaxedOutcome& relaxed, BudgetOutcome& out);

  /// The features that would lower the loss most from the incumbent, one at a time.
  std::vector<Index> best_correlated(const solve::Incumbent& at);

  const problem::Problem<L>& free_;
  problem::Problem<L> guide_;
  Index k_;
  solve::SearchSettings settings_;
  core::Stop& stop_;
  std::shared_ptr<solve::FeatureGram> gram_;
};

}  // namespace ellzero::select
