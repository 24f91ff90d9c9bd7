// PrimDual: the paper's Algorithms 1, 2 and 3, with its active set A, its remaining features R and its screening.
//
// Algorithm 1 (inner), on the features of A. Repeat, while the gap of this sub-problem decreases:
//   1. alpha <- Proj_F(alpha + omega_t super-gradient), with the beta of the link                                (3.6)
//   2. beta <- link(alpha)                                                                                       (3.5)
//   3. beta <- one cycle of hard steps                                                                           (5.1)
//   4. gap = P(beta) - D(alpha)
// Algorithm 2 (feature adding): the h = ceil(c log p) features of R with the largest |tau_j| move to A.
// Algorithm 3 (outer). A = the features with the largest |X' l'(0)|. Repeat:
//   1. solve on A by Algorithm 1
//   2. the gap of the whole problem: one product with the features of R
//   3. stop if it is below xi, or if it has changed by less than zeta over two rounds and nothing can be added
//   4. screen: by the safe rule (6.1), or by the paper's own: whatever cannot reach the threshold in the ball around
//      alpha that the gap of the sub-problem allows, which may be wrong (section 9 of docs/math.md)
//   5. add by Algorithm 2, while some feature of R may reach the threshold within the ball around alpha
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "paper/dual_iterate.hpp"
#include "paper/outcome.hpp"
#include "paper/primal_iterate.hpp"
#include "paper/stopping_rule.hpp"
#include "paper/trace.hpp"
#include "screening/verdicts.hpp"

namespace ellzero::paper {

template <class L>
class PrimalDual {
 public:
  PrimalDual(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop)
      : problem_(problem),
        rules_(rules),
        stopping_(rules, stop),
        trace_(stop),
        active_(problem),
        dual_(problem),
        primal_(problem),
        tau_(static_cast<std::size_t>(problem.features.cols())) {}

  /// Algorithm 3
  Outcome run();

 private:
  void start();

  /// Algorithm 1
  void solve_active();

  /// beta <- one cycle of hard steps from the link                                                              (5.1)
  void descend_primal();

  /// The gap over A and R together; what has been screened counts as 0.
  double whole_gap();

  /// tau_j for the features of R, and their share of D
  core::CompensatedSum sweep_rest();

  /// How far alpha may be from the dual optimum, in the norm in which D is strongly concave: features.norm() is its
  /// dual norm, so |tau_j - tau*_j| <= |x_j| r.
  [[nodiscard]] double radius(double gap) const { return std::sqrt(2 * std::max(0.0, gap) / problem_.loss.mu()); }

  /// Whether |tau_j| + |x_j| r stays below the threshold of (4.2)
  [[nodiscard]] bool below_threshold(Index j, double tau, double r) const;

  [[nodiscard]] bool can_add(double gap) const;

  /// Algorithm 2
  void add_features();

  /// Drops what cannot be used (6.1), or what the paper says cannot.
  void screen();

  /// Whether D over the features that are left bounds the whole problem.
  [[nodiscard]] bool is_valid() const { return rules_.screening != Screening::Heuristic || screened_ == 0; }
  [[nodiscard]] double valid_bound() const { return is_valid() ? bound_ : unknown; }

  void tell(double lower_bound) {
    trace_.record(stopping_.iterations(), {.objective = objective_,
                                           .lower_bound = lower_bound,
                                           .nonzeros = nonzeros_,
                                           .active = active_.size(),
                                           .screened = screened_});
  }

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  const problem::Problem<L>& problem_;
  Rules rules_;
  StoppingRule stopping_;
  Trace trace_;
  Record record_;
  ActiveSet<L> active_;      // A
  std::vector<Index> rest_;  // R
  DualIterate<L> dual_;
  PrimalIterate<L> primal_;
  std::vector<double> tau_;           // of R, at the last look
  double objective_ = 0, bound_ = 0;  // of the last iterate; D of A, or of A and R after whole_gap()
  double sub_gap_ = 0;                // of the problem that has the features of A only
  Index nonzeros_ = 0;
  Index screened_ = 0;
  double products_ = 0;  // x_j' v that were computed
};

}  // namespace ellzero::paper
