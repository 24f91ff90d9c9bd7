// CDSS: cyclic coordinate descent with spacer steps, until no exchange of two features pays, PSI(1).
//
// repeat: 1. one cycle of hard steps over all features                                                           (5.1)
//         2. after a support has been seen C times, a spacer step: the best coefficients on it
//         3. when a cycle gains less than the tolerance: the spacer step, then the scan of all exchanges; one that pays
//            is made, and the cycles go on                                                                       (5.3)
// until none pays. A cycle is one product with all features, a scan is a matrix product X_S' X.
#pragma once

#include <vector>

#include "paper/outcome.hpp"
#include "paper/primal_iterate.hpp"
#include "paper/stopping_rule.hpp"
#include "paper/trace.hpp"
#include "solve/local_search.hpp"
#include "solve/swap_certificate.hpp"

namespace ellzero::paper {

template <class L>
class Cdss {
 public:
  Cdss(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop);

  Outcome run();

 private:
  static constexpr int repeats = 5;  // C

  /// Cycles with spacer steps until one gains less than the tolerance.
  void descend();

  /// The best coefficients on the support of the current ones.
  void spacer_step();

  /// Makes an exchange that lowers P, if the scan of all pairs finds one                                        (5.3)
  bool exchange();

  /// The incumbent's coefficients become those of the iterate.
  void take();

  void tell(double P, std::size_t nonzeros);

  const problem::Problem<L>& problem_;
  core::Stop& stop_;
  StoppingRule stopping_;
  Trace trace_;
  Record record_;
  ActiveSet<L> active_;
  std::vector<Index> place_;  // of each feature among the active ones
  PrimalIterate<L> primal_;
  solve::Incumbent at_;  // the last spacer step or exchange
  Index sweeps_ = 0;
};

}  // namespace ellzero::paper
