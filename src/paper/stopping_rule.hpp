// When a published method ends: its own rules, and limits so that nothing loops.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "core/stop.hpp"
#include "ellzero/status.hpp"

namespace ellzero::paper {

enum class Screening { None, Safe, Heuristic };

/// What the user may choose of a published method.
struct Rules {
  double tolerance = 1e-6;          ///< xi and zeta, absolute: of the gap, and of its change over two rounds
  Index max_iterations = 1000000;   ///< of Algorithm 1, or cycles of CDSS
  std::optional<double> step = {};  ///< omega; without one 1/(mu t)
  double add_factor = 4;            ///< c of h = ceil(c log p)
  bool adding = true;               ///< Algorithm 2; without it every feature is active from the start
  Screening screening = Screening::Safe;
};

/// Counts iterations and says when they end.
class StoppingRule {
 public:
  static constexpr int patience = 200;  ///< rounds without a better gap

  StoppingRule(const Rules& rules, core::Stop& stop) : rules_(rules), stop_(stop) {}

  [[nodiscard]] Index iterations() const { return iterations_; }
  [[nodiscard]] double tolerance() const { return rules_.tolerance; }

  void begin_iteration() { ++iterations_; }

  /// omega_t: constant, or 1/(mu t) with t counted from `first` on, mu being the strong concavity of D.
  [[nodiscard]] double step(double mu, double first) const {
    return rules_.step.value_or(1 / (mu * (first + static_cast<double>(iterations_))));
  }

  /// The paper's rule for one round that ended with this gap: below xi, or changed by less than zeta over two rounds.
  /// The gap cannot fall below its floor (4.4) and P may swing for ever: when the best P less the best D, `best_gap`,
  /// stays where it is, that is the end, too.
  bool settled(double gap, double best_gap) {
    const bool still = std::abs(gap - before_last_) < rules_.tolerance;
    before_last_ = last_;
    last_ = gap;
    idle_ = best_gap < least_ - rules_.tolerance ? 0 : idle_ + 1;
    if (idle_ == 0) least_ = best_gap;
    swings_ = idle_ >= patience && !still && !closed(gap);
    return closed(gap) || still || idle_ >= patience;
  }
  [[nodiscard]] bool closed(double gap) const { return gap < rules_.tolerance; }

  /// Whether the end came without the paper's rule: the gap still changes, but has not got better for long.
  [[nodiscard]] bool swings() const { return swings_; }

  /// Time, an observer's wish, or the number of iterations.
  bool limit() { return iterations_ >= rules_.max_iterations || stop_.now(); }

  [[nodiscard]] Status status() const {
    if (stop_.reason()) return *stop_.reason();
    return iterations_ >= rules_.max_iterations ? Status::IterationLimit : Status::Stationary;
  }

 private:
  Rules rules_;
  core::Stop& stop_;
  Index iterations_ = 0;
  double last_ = std::numeric_limits<double>::infinity();
  double before_last_ = last_;
  double least_ = last_;
  int idle_ = 0;
  bool swings_ = false;
};

}  // namespace ellzero::paper
