// max D through the convex relaxation (4.1): a working set grows until no column outside it can lift the bound.
//
// 1. sweep: the dual point of the current solution gives tau_j for every feature and a valid lower bound D (3.3);
//    after the first, only for features that the earlier products do not place below their threshold             (6.3)
// 2. stop when the relaxation's own gap is closed
// 3. add the columns that violate |tau_j| <= threshold_j most, at least 2 sqrt(p) and as many as are nonzero      (4.2)
// 4. descend on the gathered columns, to a fraction of the gap that is still open
// Three to ten rounds, one sweep each.
#pragma once

#include <limits>
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
void forget_tau(RelaxedOutcome& outcome);

/// Brings the tau that are stale, or forgotten, to the dual point that the others belong to.
template <class L>
void complete(const problem::Problem<L>& problem, RelaxedOutcome& outcome);

template <class L>
class RelaxedSolver {
 public:
  explicit RelaxedSolver(const problem::Problem<L>& problem)
      : RelaxedSolver(problem, screening::LazyTau(problem.features, problem.weights)) {}

  /// With products that are known from elsewhere.
  RelaxedSolver(const problem::Problem<L>& problem, screening::LazyTau tau)
      : problem_(problem),
        inner_(problem.loss, {problem.y, problem.weights, problem.offset, problem.intercept},
               problem.features.gather({})),
        in_set_(static_cast<std::size_t>(problem.features.cols()), 0),
        tau_(std::move(tau)) {}

  /// What is known of tau, for later questions to begin with.
  [[nodiscard]] screening::LazyTau tau() && { return std::move(tau_); }

  /// Columns to begin with, with their coefficients: a warm start.
  void start_from(const problem::Coefficients& beta);

  RelaxedOutcome solve(const RelaxedSettings& settings, core::Stop& stop);

 private:
  /// The part of the relaxed objective that columns outside the working set pay: always-in features at 0.
  [[nodiscard]] double constant_outside() const;

  double sweep(double upper, bool last, RelaxedOutcome& best);

  bool add_violators();

  void add(std::span<const Index> columns);

  static constexpr int most_stalled = 3;

  const problem::Problem<L>& problem_;
  ConvexDescent<L> inner_;
  std::vector<Index> columns_;
  std::vector<char> in_set_;
  screening::LazyTau tau_;
  double scale_ = 1;  // of the last tau, where (3.8) had to scale the dual point
};

}  // namespace ellzero::solve
