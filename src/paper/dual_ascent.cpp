// The steps of dual_ascent.hpp.
#include "paper/dual_ascent.hpp"

#include "loss/all.hpp"

namespace ellzero::paper {

template <class L>
Outcome dual_ascent(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop) {
  StoppingRule stopping(rules, stop);
  Trace trace(stop);
  Record record;
  auto active = all_active(problem);
  DualIterate<L> dual(problem);
  PrimalIterate<L> primal(problem);
  dual.apply_link(active);
  double gap;
  do {
    stopping.begin_iteration();
    dual.ascend(stopping.step(dual.mu(), dual.first_step()));  // (3.6)
    dual.apply_link(active);                                   // (3.5)
    for (Member& m : active.members) m.beta = m.link;
    primal.start(dual.predictor());
    const auto beta = active.coefficients(primal.intercept());
    const double P = primal.objective(beta), D = dual.bound(active);
    gap = P - D;
    trace.record(stopping.iterations(), {.objective = P,
                                         .lower_bound = D,
                                         .nonzeros = static_cast<Index>(beta.support.size()),
                                         .active = active.size()});
    record.offer_primal(P, beta);
    record.offer_dual(D, dual.alpha(), true);
  } while (!stopping.settled(gap, record.gap()) && !stopping.limit());
  Outcome out = record.conclude(problem, stopping);
  out.sweeps = stopping.iterations() + 2;
  return out;
}

#define INSTANTIATE(L) \
  template Outcome dual_ascent(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
