// Dual-IHT: dual ascent for the budget form, at most k features, with the dual objective of that form.
//
//   D_k(alpha) = sum_i(alpha_i o_i - l_i*(alpha_i)) - (sum of q_j over always-in features and the largest others) (7.2)
//
// repeat: 1. alpha <- Proj_F(alpha + omega_t super-gradient)                                                     (3.6)
//         2. beta <- the link without a price, for the k features with the largest q_j (the largest |eta_j| where there
//            are no boxes), 0 for all others
//         3. gap = P_k(beta) - D_k(alpha)
// until the gap is below xi, or has changed by less than zeta over two rounds. One product with all features a round.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "paper/dual_iterate.hpp"
#include "paper/outcome.hpp"
#include "paper/primal_iterate.hpp"
#include "paper/stopping_rule.hpp"
#include "paper/trace.hpp"

namespace ellzero::paper {

/// `free` is the problem at price 0, whose objective is the budget form's.
template <class L>
class DualIht {
 public:
  DualIht(const problem::Problem<L>& free, Index k, const Rules& rules, core::Stop& stop);

  Outcome run();

 private:
  /// beta <- link(alpha) of the k features that are worth most to the dual, always-in ones first
  void keep_largest();

  /// D_k: no sum of k different q_j is larger than that of the kept ones, each raised by what rounding may hide.  (7.2)
  [[nodiscard]] double bound() const;

  /// The final bound comes from the penalised dual at the price of the last feature kept: D_{lambda0} - k lambda0.
  Outcome conclude();

  const problem::Problem<L>& free_;
  Index k_;
  Index room_ = k_;  // for the active features: always-in columns that are constant count in k, too
  StoppingRule stopping_;
  Trace trace_;
  Record record_;
  ActiveSet<L> active_;
  DualIterate<L> dual_;
  PrimalIterate<L> primal_;
  std::vector<std::pair<double, std::size_t>> order_;  // -q and member; the kept ones first
  double price_ = 0, best_price_ = 0;                  // the smallest q that is kept
  double best_bound_ = -std::numeric_limits<double>::infinity();
};

}  // namespace ellzero::paper
