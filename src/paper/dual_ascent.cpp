// The steps of dual_ascent.hpp.
#include "paper/dual_ascent.hpp"

#include "loss/all.hpp"

namespace ellzero::paper {

template <class L>
Outcome dual_ascent(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop) {
  Course course(rules, stop);
  Record record;
  auto play = all_in_play(problem);
  DualIterate<L> dual(problem);
  PrimalIterate<L> primal(problem);
  dual.apply_link(play);
  double gap;
  do {
    course.begin_iteration();
    dual.ascend(course.step(dual.mu(), dual.first_step()));  // (3.6)
    dual.apply_link(play);                                   // (3.5)
    for (Member& m : play.members) m.beta = m.link;
    primal.start(dual.predictor());
    const auto beta = play.coefficients(primal.intercept());
    const double P = primal.objective(beta), D = dual.bound(play);
    gap = P - D;
    course.record({P, D, static_cast<Index>(beta.support.size()), play.size()});
    record.offer_primal(P, beta);
    record.offer_dual(D, dual.alpha(), true);
  } while (!course.settled(gap, record.gap()) && !course.limit());
  Outcome out = record.conclude(problem, course);
  out.sweeps = course.iterations() + 2;
  return out;
}

#define INSTANTIATE(L) \
  template Outcome dual_ascent(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
