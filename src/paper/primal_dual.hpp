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
#include <span>
#include <utility>
#include <vector>

#include "paper/course.hpp"
#include "paper/dual_iterate.hpp"
#include "paper/outcome.hpp"
#include "paper/primal_iterate.hpp"
#include "screening/verdicts.hpp"

namespace ellzero::paper {

template <class L>
class PrimalDual {
 public:
  PrimalDual(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop)
      : problem_(problem),
        rules_(rules),
        course_(rules, stop),
        play_(problem),
        dual_(problem),
        primal_(problem),
        tau_(static_cast<std::size_t>(problem.features.cols())) {}

  /// Algorithm 3
  Outcome run() {
    start();
    while (true) {
      solve_active();
      const double gap = whole_gap();
      const bool may_add = can_add(gap);
      const bool settled = course_.settled(gap, record_.gap());
      if (course_.closed(gap) || (settled && !may_add) || course_.limit()) break;
      screen();
      if (may_add) add_features();
    }
    Outcome out = record_.conclude(problem_, course_);
    out.sweeps = static_cast<Index>(std::ceil(products_ / static_cast<double>(problem_.features.cols()))) + 1;
    return out;
  }

 private:
  void start() {
    std::vector<Index> always;
    for (Index j = 0; j < problem_.features.cols(); ++j) {
      if (problem_.features.norm(j) == 0) continue;
      (problem_.penalty.always_in(j) || !rules_.adding ? always : rest_).push_back(j);
    }
    play_.add(always);
    (void)sweep_rest();
    add_features();
    dual_.apply_link(play_);
  }

  /// Algorithm 1
  void solve_active() {
    double before;
    sub_gap_ = std::numeric_limits<double>::infinity();
    do {
      before = sub_gap_;
      course_.begin_iteration();
      dual_.ascend(course_.step(dual_.mu(), dual_.first_step()));  // (3.6)
      dual_.apply_link(play_);                                     // (3.5)
      descend_primal();
      bound_ = dual_.bound(play_);
      sub_gap_ = objective_ - bound_;
      products_ += 2 * static_cast<double>(play_.size());
      tell(rest_.empty() ? valid_bound() : unknown);
    } while (sub_gap_ < before - course_.tolerance() && !course_.limit());
  }

  /// beta <- one cycle of hard steps from the link                                                              (5.1)
  void descend_primal() {
    for (Member& m : play_.members) m.beta = m.link;
    primal_.start(dual_.predictor());
    primal_.hard_steps(play_);
    auto beta = play_.coefficients(primal_.intercept());
    nonzeros_ = static_cast<Index>(beta.support.size());
    objective_ = primal_.objective(beta);
    record_.offer_primal(objective_, std::move(beta));
  }

  /// The gap over A and R together; what has been screened counts as 0.
  double whole_gap() {
    if (!rest_.empty()) {
      bound_ = dual_.bound(play_, sweep_rest());
      tell(valid_bound());
    }
    record_.offer_dual(bound_, dual_.alpha(), is_valid());
    return objective_ - bound_;
  }

  /// tau_j for the features of R, and their share of D
  core::CompensatedSum sweep_rest() {
    products_ += static_cast<double>(rest_.size());
    const problem::PsiSum start{&problem_.features, &problem_.penalty, dual_.point().norm(), tau_};
    return problem_.features.sweep(rest_, dual_.alpha(), 0, start).sum;
  }

  /// How far alpha may be from the dual optimum, in the norm in which D is strongly concave: features.norm() is its
  /// dual norm, so |tau_j - tau*_j| <= |x_j| r.
  [[nodiscard]] double radius(double gap) const { return std::sqrt(2 * std::max(0.0, gap) / problem_.loss.mu()); }

  /// Whether |tau_j| + |x_j| r stays below the threshold of (4.2)
  [[nodiscard]] bool below_threshold(Index j, double tau, double r) const {
    const auto& coordinate = problem_.penalty[j];
    const double tau0 = std::min(coordinate.threshold(-1), coordinate.threshold(+1));
    return std::abs(tau) + problem_.features.norm(j) * r < tau0;
  }

  [[nodiscard]] bool can_add(double gap) const {
    const double r = radius(gap);
    return std::any_of(rest_.begin(), rest_.end(), [&](Index j) { return !below_threshold(j, tau_[j], r); });
  }

  /// Algorithm 2
  void add_features() {
    const auto h = static_cast<std::size_t>(
        std::max(1.0, std::ceil(rules_.add_factor * std::log(static_cast<double>(problem_.features.cols())))));
    const auto count = static_cast<std::ptrdiff_t>(std::min(h, rest_.size()));
    const auto larger = [&](Index i, Index j) {
      return std::abs(tau_[i]) > std::abs(tau_[j]) || (std::abs(tau_[i]) == std::abs(tau_[j]) && i < j);
    };
    std::partial_sort(rest_.begin(), rest_.begin() + count, rest_.end(), larger);
    play_.add(std::span(rest_).first(static_cast<std::size_t>(count)));
    rest_.erase(rest_.begin(), rest_.begin() + count);
  }

  /// Drops what cannot be used (6.1), or what the paper says cannot.
  void screen() {
    if (rules_.screening == Screening::None) return;
    if (rules_.screening == Screening::Safe && !(record_.objective() - bound_ < problem_.penalty.lambdas().lambda0))
      return;
    // A gathered column's product rounds a little more often than the sweep's, for which verdict() allows.
    const screening::Evidence evidence{2 * dual_.point().norm(), bound_, record_.objective()};
    const double r = radius(sub_gap_);
    const auto is_out = [&](Index j, double tau) {
      if (problem_.penalty.always_in(j)) return false;
      if (rules_.screening == Screening::Heuristic) return below_threshold(j, tau, r);
      return screening::verdict(problem_, j, tau, evidence) == Verdict::Never;  // (6.1)
    };
    screened_ += static_cast<Index>(std::erase_if(rest_, [&](Index j) { return is_out(j, tau_[j]); }));
    screened_ += static_cast<Index>(std::erase_if(play_.members, [&](Member& m) { return is_out(m.feature, m.tau); }));
    dual_.set_predictor(play_);
  }

  /// Whether D over the features that are left bounds the whole problem.
  [[nodiscard]] bool is_valid() const { return rules_.screening != Screening::Heuristic || screened_ == 0; }
  [[nodiscard]] double valid_bound() const { return is_valid() ? bound_ : unknown; }

  void tell(double lower_bound) { course_.record({objective_, lower_bound, nonzeros_, play_.size(), screened_}); }

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  const problem::Problem<L>& problem_;
  Rules rules_;
  Course course_;
  Record record_;
  InPlay<L> play_;           // A
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
