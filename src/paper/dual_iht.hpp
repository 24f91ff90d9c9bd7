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

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "paper/course.hpp"
#include "paper/dual_iterate.hpp"
#include "paper/outcome.hpp"
#include "paper/primal_iterate.hpp"

namespace ellzero::paper {

/// `free` is the problem at price 0, whose objective is the budget form's.
template <class L>
class DualIht {
 public:
  DualIht(const problem::Problem<L>& free, Index k, const Rules& rules, core::Stop& stop)
      : free_(free), k_(k), course_(rules, stop), play_(all_in_play(free)), dual_(free), primal_(free) {}

  Outcome run() {
    keep_largest();
    double gap;
    do {
      course_.begin_iteration();
      dual_.ascend(course_.step(dual_.mu(), dual_.first_step()));  // (3.6)
      keep_largest();
      for (Member& m : play_.members) m.beta = m.link;
      primal_.start(dual_.predictor());
      const auto beta = play_.coefficients(primal_.intercept());
      const double P = primal_.objective(beta), D = bound();
      gap = P - D;
      course_.record({P, D, static_cast<Index>(beta.support.size()), play_.size()});
      record_.offer_primal(P, beta);
      record_.offer_dual(D, dual_.alpha(), false);
      if (D > best_bound_) {
        best_bound_ = D;
        best_price_ = price_;
      }
    } while (!course_.settled(gap, record_.gap()) && !course_.limit());
    return conclude();
  }

 private:
  /// beta <- link(alpha) of the k features that are worth most to the dual, always-in ones first
  void keep_largest() {
    dual_.products(play_);
    order_.clear();
    for (std::size_t c = 0; c < play_.members.size(); ++c) {
      const Member& m = play_.members[c];
      const double q = m.penalty->conjugate(m.tau);
      order_.emplace_back(free_.penalty.always_in(m.feature) ? -std::numeric_limits<double>::infinity() : -q, c);
    }
    const auto kept = static_cast<std::ptrdiff_t>(std::min(order_.size(), static_cast<std::size_t>(k_)));
    std::nth_element(order_.begin(), order_.begin() + std::max<std::ptrdiff_t>(kept - 1, 0), order_.end());
    for (Member& m : play_.members) m.link = 0;
    price_ = kept > 0 && std::isfinite(order_[kept - 1].first) ? -order_[kept - 1].first : 0;
    for (std::ptrdiff_t c = 0; c < kept; ++c) {
      Member& m = play_.members[order_[c].second];
      m.link = m.penalty->link(m.tau);
    }
    dual_.set_predictor(play_);
  }

  /// D_k: no sum of k different q_j is larger than that of the kept ones, each raised by what rounding may hide.  (7.2)
  [[nodiscard]] double bound() const {
    problem::BoundSum total = problem::conjugate_sum(free_, dual_.alpha());
    double most = 0;  // that a feature which was not kept could really be above one that was
    const auto kept = std::min(order_.size(), static_cast<std::size_t>(k_));
    for (std::size_t c = 0; c < order_.size(); ++c) {
      const Member& m = play_.members[order_[c].second];
      const double high = -m.penalty->psi_below(m.tau, m.error * dual_.point().norm());
      if (c < kept) total.sum.add(-high);
      else most = std::max(most, high - price_);
    }
    total.error += std::max(0.0, most) * static_cast<double>(kept);
    return total.value();
  }

  /// The final bound comes from the penalised dual at the price of the last feature kept: D_{lambda0} - k lambda0.
  Outcome conclude() {
    auto priced = free_;
    const auto& lambdas = free_.penalty.lambdas();
    priced.penalty = free_.penalty.with({best_price_, lambdas.lambda1, lambdas.lambda2});
    Outcome out = record_.conclude(priced, course_);
    const double cost = static_cast<double>(k_) * best_price_;
    out.lower_bound = out.dual_value - cost - 4 * core::unit_roundoff * (std::abs(out.dual_value) + cost);
    out.lower_bound = std::max(out.lower_bound, problem::least_bound(free_));
    out.best.objective = problem::objective(free_, out.best.u, out.best.beta);
    out.sweeps = course_.iterations() + 2;
    return out;
  }

  const problem::Problem<L>& free_;
  Index k_;
  Course course_;
  Record record_;
  InPlay<L> play_;
  DualIterate<L> dual_;
  PrimalIterate<L> primal_;
  std::vector<std::pair<double, std::size_t>> order_;  // -q and member; the kept ones first
  double price_ = 0, best_price_ = 0;                  // the smallest q that is kept
  double best_bound_ = -std::numeric_limits<double>::infinity();
};

}  // namespace ellzero::paper
