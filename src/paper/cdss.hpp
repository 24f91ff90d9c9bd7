// CDSS: cyclic coordinate descent with spacer steps, until no exchange of two features pays, PSI(1).
//
// repeat: 1. one cycle of hard steps over all features                                                           (5.1)
//         2. after a support has been seen C times, a spacer step: the best coefficients on it
//         3. when a cycle gains less than the tolerance: the spacer step, then the scan of all exchanges; one that pays
//            is made, and the cycles go on                                                                       (5.3)
// until none pays. A cycle is one product with all features, a scan is a matrix product X_S' X.
#pragma once

#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "paper/course.hpp"
#include "paper/outcome.hpp"
#include "paper/primal_iterate.hpp"
#include "solve/local_search.hpp"
#include "solve/swap_certificate.hpp"

namespace ellzero::paper {

template <class L>
class Cdss {
 public:
  Cdss(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop)
      : problem_(problem),
        stop_(stop),
        course_(rules, stop),
        play_(all_in_play(problem)),
        place_(static_cast<std::size_t>(problem.features.cols()), -1),
        primal_(problem) {
    for (std::size_t c = 0; c < play_.members.size(); ++c) place_[play_.members[c].feature] = static_cast<Index>(c);
  }

  Outcome run() {
    primal_.start(problem_.offset);
    do descend();
    while (!course_.limit() && exchange());
    const auto point = problem::dual_point(problem_, problem::predictor(problem_, record_.beta()));  // (3.7)
    record_.offer_dual(problem::dual_value(problem_, point), point.alpha(), true);
    Outcome out = record_.conclude(problem_, course_);
    out.sweeps = course_.iterations() + sweeps_ + 2;
    return out;
  }

 private:
  static constexpr int repeats = 5;  // C

  /// Cycles with spacer steps until one gains less than the tolerance.
  void descend() {
    double P = std::numeric_limits<double>::infinity();
    std::map<std::vector<Index>, int> seen;
    while (!course_.limit()) {
      course_.begin_iteration();
      primal_.hard_steps(play_);  // (5.1)
      const auto beta = play_.coefficients(primal_.intercept());
      const double next = primal_.objective(beta);
      record_.offer_primal(next, beta);
      tell(next, beta.support.size());
      const bool settled = !(next < P - course_.tolerance());
      if (settled || ++seen[beta.support] == repeats) {
        spacer_step();
        seen.erase(beta.support);
      }
      if (settled) return;
      P = next;
    }
  }

  /// The best coefficients on the support of the current ones.
  void spacer_step() {
    const auto beta = play_.coefficients(primal_.intercept());
    at_ = solve::best_on_support(problem_, beta.support, stop_, &beta);
    take();
  }

  /// Makes an exchange that lowers P, if the scan of all pairs finds one                                        (5.3)
  bool exchange() {
    const auto alpha = problem::gradient(problem_, at_.u);
    std::vector<double> tau(static_cast<std::size_t>(problem_.features.cols()));
    screening::LazyTau products(problem_.features, problem_.weights);
    (void)products.sweep(
        alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), [](Index, double, double) { return true; },
        features::StoreAll{tau});
    const auto found = solve::ExchangeSearch(problem_, at_, products, stop_).run(std::numeric_limits<Index>::max());
    sweeps_ += products.sweeps();
    if (!found.pays || !solve::try_exchange(problem_, found.out, found.in, at_, stop_)) return false;
    take();
    return true;
  }

  /// The incumbent's coefficients become those of the iterate.
  void take() {
    record_.offer_primal(at_.objective, at_.beta);
    for (Member& m : play_.members) m.beta = 0;
    for (std::size_t c = 0; c < at_.beta.support.size(); ++c)
      play_.members[place_[at_.beta.support[c]]].beta = at_.beta.values[c];
    auto without_intercept = at_.u;
    for (double& ui : without_intercept) ui -= at_.beta.intercept;
    primal_.start(without_intercept);
  }

  void tell(double P, std::size_t nonzeros) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  // a bound would cost as much as the cycle
    course_.record({P, unknown, static_cast<Index>(nonzeros), play_.size()});
  }

  const problem::Problem<L>& problem_;
  core::Stop& stop_;
  Course course_;
  Record record_;
  InPlay<L> play_;
  std::vector<Index> place_;  // of each feature among those in play
  PrimalIterate<L> primal_;
  solve::Incumbent at_;  // the last spacer step or exchange
  Index sweeps_ = 0;
};

}  // namespace ellzero::paper
