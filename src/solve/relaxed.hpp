// max D through the convex relaxation (4.1): a working set grows until no column outside it can lift the bound.
//
// 1. sweep: the dual point of the current solution gives tau_j for every feature and a valid lower bound D (3.3);
//    after the first, only for features that the earlier products do not place below their threshold             (6.3)
// 2. stop when the relaxation's own gap is closed
// 3. add the columns that violate |tau_j| <= threshold_j most, at least 2 sqrt(p) and as many as are nonzero      (4.2)
// 4. descend on the gathered columns, to a fraction of the gap that is still open
// Three to ten rounds, one sweep each.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "problem/dual.hpp"
#include "screening/lazy_tau.hpp"
#include "solve/convex_descent.hpp"

namespace ellzero::solve {

struct RelaxedOutcome {
  problem::Coefficients beta;  ///< the relaxed solution: its support holds every nonzero
  std::vector<double> tau;     ///< x~_j' alpha for every feature, at the best dual point
  std::vector<Index> stale;    ///< features whose tau is of an earlier point: below threshold, not known better  (6.3)
  std::vector<double> alpha;   ///< that dual point
  double alpha_norm = 0;       ///< of that dual point
  double dual_value = 0;       ///< D at that dual point: tau and it belong together
  double lower_bound = 0;      ///< valid: the best D seen, or D(0) if that is more
  double gap = 0;              ///< of the relaxation: how far max D may still be above lower_bound
  bool at_the_end = false;     ///< it is of a solution that was taken to its last digits
  int sweeps = 0;
  int rounds = 0;
};

struct RelaxedSettings {
  double tolerance = 1e-9;                                  ///< relative gap of the relaxation
  double cutoff = std::numeric_limits<double>::infinity();  ///< a bound that reaches this is enough
  int max_rounds = 100;
  bool every_tau = true;    ///< of the outcome at its dual point, also where that changes nothing
  bool to_the_end = false;  ///< to the last digits, so that the solution does not show where it began
};

/// Leaves the memory of tau to others, until complete() brings it back.
inline void forget_tau(RelaxedOutcome& outcome) {
  outcome.tau = {};
  outcome.stale = {};
}

/// Brings the tau that are stale, or forgotten, to the dual point that the others belong to.
template <class L>
void complete(const problem::Problem<L>& problem, RelaxedOutcome& outcome) {
  if (outcome.tau.empty()) {
    outcome.tau.resize(static_cast<std::size_t>(problem.features.cols()));
    outcome.stale.resize(outcome.tau.size());
    std::iota(outcome.stale.begin(), outcome.stale.end(), Index{0});
  }
  (void)problem.features.sweep(outcome.stale, outcome.alpha, 0, features::StoreAll{outcome.tau});
  if (!outcome.stale.empty()) ++outcome.sweeps;
  outcome.stale.clear();
}

template <class L>
class RelaxedSolver {
 public:
  explicit RelaxedSolver(const problem::Problem<L>& problem)
      : RelaxedSolver(problem, screening::LazyTau(problem.features, problem.weights)) {}

  /// With products that are known from elsewhere.
  RelaxedSolver(const problem::Problem<L>& problem, screening::LazyTau known)
      : problem_(problem),
        inner_(problem.loss, {problem.y, problem.weights, problem.offset, problem.intercept},
               problem.features.gather({})),
        in_set_(static_cast<std::size_t>(problem.features.cols()), 0),
        tau_(std::move(known)) {}

  /// What is known of tau, for later questions to begin with.
  [[nodiscard]] screening::LazyTau known() && { return std::move(tau_); }

  /// Columns to begin with, with their coefficients: a warm start.
  void start_from(const problem::Coefficients& beta) {
    add(beta.support);
    for (Index c = 0; c < inner_.cols(); ++c) inner_.set_beta(c, beta.values[c]);
    inner_.set_intercept(beta.intercept);
  }

  RelaxedOutcome solve(const RelaxedSettings& settings, core::Stop& stop) {
    RelaxedOutcome best;
    best.dual_value = -std::numeric_limits<double>::infinity();
    best.lower_bound = problem::least_bound(problem_);
    inner_.descend({}, 1, stop);  // solves for the intercept
    double last_gap = std::numeric_limits<double>::infinity();
    int stalled = 0;
    bool at_the_end = false;
    for (int round = 0; round < settings.max_rounds; ++round) {
      const double upper = inner_.objective() + constant_outside();
      const double gap = sweep(upper, at_the_end, best), enough = settings.tolerance * std::abs(upper);
      best.rounds = round + 1;
      if (best.gap <= enough && settings.to_the_end && !at_the_end) {
        at_the_end = true;
        inner_.descend({1e-15 * std::abs(upper), 0}, 200, stop);
        continue;
      }
      if (best.gap <= enough || best.lower_bound >= settings.cutoff || stop.now()) break;
      if (upper < settings.cutoff && std::isfinite(settings.cutoff) && gap <= 0.02 * (settings.cutoff - upper)) break;
      // A closed set whose gap no longer falls has reached the floor of rounding.
      const bool grown = add_violators();
      stalled = grown || gap < 0.5 * last_gap ? 0 : stalled + 1;
      if (stalled == most_stalled) break;
      last_gap = gap;
      // While the set grows a rough solution does; once it is closed the next one is to be the last.
      const double rough = 0.03 * std::pow(0.01, stalled) * gap;
      inner_.descend({grown ? rough : std::min(rough, 0.1 * enough), 1e-24 * std::abs(upper)}, 200, stop);
    }
    if (settings.every_tau) complete(problem_, best);
    return best;
  }

 private:
  /// The part of the relaxed objective that columns outside the working set pay: always-in features at 0.
  [[nodiscard]] double constant_outside() const {
    double inside = 0;
    for (const Index j : columns_) inside += problem_.penalty[j].value(0);
    return problem_.penalty.at_zero() - inside;
  }

  double sweep(double upper, bool last, RelaxedOutcome& best) {
    const auto point = problem::dual_point(problem_, inner_.predictor());
    const double D = screening::dual_value(problem_, point, tau_);
    scale_ = point.scale();
    best.sweeps = tau_.sweeps();
    const double gap = std::max(0.0, upper - D);
    if (D > best.dual_value - (last ? 1e-11 * std::abs(D) : 0) || best.tau.empty()) {
      best.at_the_end = last;
      best.dual_value = D;
      best.lower_bound = std::max(best.lower_bound, D);
      best.tau.assign(tau_.tau().begin(), tau_.tau().end());
      best.stale = tau_.left_out();
      best.alpha.assign(point.alpha().begin(), point.alpha().end());
      best.alpha_norm = point.norm();
      best.beta.intercept = inner_.intercept();
      best.beta.support.clear();
      best.beta.values.clear();
      for (Index c = 0; c < inner_.cols(); ++c)
        if (inner_.beta(c) != 0) {
          best.beta.support.push_back(columns_[c]);
          best.beta.values.push_back(inner_.beta(c));
        }
    }
    best.gap = std::max(0.0, upper - best.lower_bound);
    return gap;
  }

  bool add_violators() {
    const auto tau = tau_.tau();
    std::vector<std::pair<double, Index>> violators;
    for (Index j = 0; j < problem_.features.cols(); ++j) {
      const double excess = std::abs(tau[j]) - scale_ * problem_.penalty[j].threshold(-tau[j]);  // (4.2)
      if (in_set_[j] == 0 && excess > 0 && problem_.features.norm(j) > 0) violators.emplace_back(-excess, j);
    }
    const Index nonzero = std::count_if(columns_.begin(), columns_.end(),
                                        [&, c = Index{0}](Index) mutable { return inner_.beta(c++) != 0; });
    const auto p = static_cast<double>(problem_.features.cols());
    const auto wanted = static_cast<std::size_t>(std::max(static_cast<Index>(2 * std::sqrt(p)), nonzero));
    if (violators.size() > wanted) {
      std::nth_element(violators.begin(), violators.begin() + static_cast<std::ptrdiff_t>(wanted), violators.end());
      violators.resize(wanted);
    }
    std::vector<Index> added;
    added.reserve(violators.size());
    for (const auto& violator : violators) added.push_back(violator.second);
    std::sort(added.begin(), added.end());
    add(added);
    return !added.empty();
  }

  void add(std::span<const Index> columns) {
    std::vector<const Coordinate*> coordinates;
    for (const Index j : columns) {
      coordinates.push_back(&problem_.penalty[j]);
      in_set_[j] = 1;
    }
    columns_.insert(columns_.end(), columns.begin(), columns.end());
    inner_.append(problem_.features.gather(columns), coordinates);
  }

  static constexpr int most_stalled = 3;

  const problem::Problem<L>& problem_;
  ConvexDescent<L> inner_;
  std::vector<Index> columns_;
  std::vector<char> in_set_;
  screening::LazyTau tau_;
  double scale_ = 1;  // of the last tau, where (3.8) had to scale the dual point
};

}  // namespace ellzero::solve
