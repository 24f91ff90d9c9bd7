// The steps of dual_iht.hpp.
#include "paper/dual_iht.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loss/all.hpp"

namespace ellzero::paper {

template <class L>
DualIht<L>::DualIht(const problem::Problem<L>& free, Index k, const Rules& rules, core::Stop& stop)
    : free_(free), k_(k), stopping_(rules, stop), trace_(stop), active_(all_active(free)), dual_(free), primal_(free) {
  for (Index j = 0; j < free.features.cols(); ++j)
    room_ -= free.penalty.always_in(j) && free.features.norm(j) == 0 ? 1 : 0;
}

template <class L>
Outcome DualIht<L>::run() {
  keep_largest();
  double gap;
  do {
    stopping_.begin_iteration();
    dual_.ascend(stopping_.step(dual_.mu(), dual_.first_step()));  // (3.6)
    keep_largest();
    for (Member& m : active_.members) m.beta = m.link;
    primal_.start(dual_.predictor());
    const auto beta = active_.coefficients(primal_.intercept());
    const double P = primal_.objective(beta), D = bound();
    gap = P - D;
    trace_.record(stopping_.iterations(), {.objective = P,
                                           .lower_bound = D,
                                           .nonzeros = static_cast<Index>(beta.support.size()),
                                           .active = active_.size()});
    record_.offer_primal(P, beta);
    record_.offer_dual(D, dual_.alpha(), false);
    if (D > best_bound_) {
      best_bound_ = D;
      best_price_ = price_;
    }
  } while (!stopping_.settled(gap, record_.gap()) && !stopping_.limit());
  return conclude();
}

template <class L>
void DualIht<L>::keep_largest() {
  dual_.products(active_);
  order_.clear();
  for (std::size_t c = 0; c < active_.members.size(); ++c) {
    const Member& m = active_.members[c];
    const double q = m.penalty->conjugate(m.tau);
    order_.emplace_back(free_.penalty.always_in(m.feature) ? -std::numeric_limits<double>::infinity() : -q, c);
  }
  const auto kept = static_cast<std::ptrdiff_t>(std::min(order_.size(), static_cast<std::size_t>(room_)));
  std::nth_element(order_.begin(), order_.begin() + std::max<std::ptrdiff_t>(kept - 1, 0), order_.end());
  for (Member& m : active_.members) m.link = 0;
  price_ = kept > 0 && std::isfinite(order_[kept - 1].first) ? -order_[kept - 1].first : 0;
  for (std::ptrdiff_t c = 0; c < kept; ++c) {
    Member& m = active_.members[order_[c].second];
    m.link = m.penalty->link(m.tau);
  }
  dual_.set_predictor(active_);
}

template <class L>
double DualIht<L>::bound() const {
  problem::BoundSum total = problem::conjugate_sum(free_, dual_.alpha());
  double most = 0;  // that a feature which was not kept could really be above one that was
  const auto kept = std::min(order_.size(), static_cast<std::size_t>(room_));
  for (std::size_t c = 0; c < order_.size(); ++c) {
    const Member& m = active_.members[order_[c].second];
    const double high = -m.penalty->psi_below(m.tau, m.error * dual_.point().norm());
    if (c < kept) total.sum.add(-high);
    else most = std::max(most, high - price_);
  }
  total.error += std::max(0.0, most) * static_cast<double>(kept);
  return total.value();
}

template <class L>
Outcome DualIht<L>::conclude() {
  auto priced = free_;
  const auto& lambdas = free_.penalty.lambdas();
  priced.penalty = free_.penalty.with({best_price_, lambdas.lambda1, lambdas.lambda2});
  Outcome out = record_.conclude(priced, stopping_);
  const double cost = static_cast<double>(k_) * best_price_;
  out.lower_bound = out.dual_value - cost - 4 * core::unit_roundoff * (std::abs(out.dual_value) + cost);
  out.lower_bound = std::max(out.lower_bound, problem::least_bound(free_));
  out.best.objective = problem::objective(free_, out.best.u, out.best.beta);
  out.sweeps = stopping_.iterations() + 2;
  return out;
}

#define INSTANTIATE(L) template class DualIht<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
