// The engine: the best solution it can find in a short time, and a valid lower bound on all solutions.
//
// 1. relaxation: max D by convex optimisation; its solution says where to look                                (4.1)
// 2. round it, and search locally among the most promising columns, coefficients re-optimised in every move
// 3. sweep: a feature outside that would enter by itself joins the candidates, and the search goes on          (5.2)
// 4. unless in a hurry, for squared loss; for others when thorough: no exchange of two features pays either      (5.3)
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "solve/local_search.hpp"
#include "solve/relaxed.hpp"
#include "solve/swap_certificate.hpp"

namespace ellzero::solve {

struct EngineOutcome {
  Incumbent best;
  RelaxedOutcome bound;
  bool coordinate_optimal = false;
  bool swap_optimal = false;
  Index searches = 0;
};

template <class F, class L>
class Engine {
 public:
  Engine(const problem::Problem<F, L>& problem, const LocalSearch& how, core::Stop& stop)
      : problem_(problem), how_(how), stop_(stop) {}

  EngineOutcome run(const Incumbent* warm = nullptr) {
    EngineOutcome out;
    out.bound = RelaxedSolver<F, L>(problem_).solve({}, stop_);
    tell("relaxation", out);
    const bool blind = problem_.penalty.may_need_scaling() && problem_.penalty.lambdas().lambda0 > 0;
    const auto guide = guiding(problem_);
    const RelaxedOutcome where = blind ? RelaxedSolver<F, L>(guide).solve({1e-4}, stop_) : out.bound;
    out.best = best_on_support(problem_, rounded(guide.penalty, where.beta), stop_);
    if (warm != nullptr && warm->objective < out.best.objective) out.best = *warm;
    if (how_.effort == Effort::Thorough) search({Effort::Default, how_.seed}, guide, where, out);
    search(how_, guide, where, out);
    return out;
  }

 private:
  /// Searches among candidates, lets in what would enter by itself, and searches again, until nothing changes.
  void search(const LocalSearch& how, const problem::Problem<F, L>& guide, const RelaxedOutcome& where,
              EngineOutcome& out) {
    constexpr int most_rounds = 50;
    // Losses without a curvature from below leave very many pairs to try one by one: only when told to be thorough.
    int certificates = how.effort == Effort::Thorough                  ? most_rounds
                       : how.effort == Effort::Default && L::quadratic ? 3
                                                                       : 0;
    std::vector<Index> extra;
    for (int round = 0; round < most_rounds && !stop_.now() && !closed(out); ++round) {
      const Candidates candidates(problem_, choose_candidates(guide, where, out.best.beta.support, extra,
                                                              how.candidates(where.beta.support.size(), L::quadratic)));
      out.searches += local_search(problem_, candidates, how, out.best, stop_);
      tell("search", out);
      if (!enter(out, extra) && !(certificates-- > 0 && exchange(out, extra))) break;
    }
    if (closed(out) && !out.coordinate_optimal) enter(out, extra);
  }

  void tell(std::string_view stage, const EngineOutcome& out) const {
    stop_.tell({stage, stop_.seconds(), out.best.objective, out.bound.lower_bound,
                static_cast<Index>(out.best.beta.support.size())});
  }

  [[nodiscard]] bool closed(const EngineOutcome& out) const {
    return out.best.objective - out.bound.lower_bound <= 1e-9 * std::abs(out.best.objective);
  }

  /// Lets in the feature whose own hard step (5.1) lowers P most, and makes all such features candidates. One sweep. If
  /// there are none the incumbent is coordinate-wise optimal (5.2).
  bool enter(EngineOutcome& out, std::vector<Index>& extra) {
    const auto alpha = problem::gradient(problem_, out.best.u);
    std::vector<char> used(static_cast<std::size_t>(problem_.features.cols()), 0);
    for (const Index j : out.best.beta.support) used[j] = 1;
    const HardSteps start{&problem_, used, 1e-10 * std::abs(out.best.objective)};
    const auto found = problem_.features.sweep(alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), start).entrants;
    ++out.bound.sweeps;
    out.coordinate_optimal = found.empty();
    if (found.empty()) return false;
    for (const auto& entrant : found) extra.push_back(entrant.second);
    return try_exchange(problem_, -1, std::max_element(found.begin(), found.end())->second, out.best, stop_);
  }

  struct HardSteps {
    const problem::Problem<F, L>* problem;
    std::span<const char> used;
    double least_gain;
    std::vector<std::pair<double, Index>> entrants = {};  ///< gain and feature

    void visit(Index j, double tau) {
      const double lipschitz = problem->features.norm(j) * problem->features.norm(j) / problem->loss.mu();
      if (lipschitz == 0 || used[j] != 0) return;
      const auto& coordinate = problem->penalty[j];
      const double b = coordinate.hard_step(lipschitz, -tau);  // (5.1)
      if (b == 0) return;
      const double gain = -(tau * b + 0.5 * lipschitz * b * b + coordinate.value(b) - coordinate.value(0));
      if (gain > least_gain) entrants.emplace_back(gain, j);
    }
    void merge(const HardSteps& next) { entrants.insert(entrants.end(), next.entrants.begin(), next.entrants.end()); }
  };

  /// The certificate pass over all exchanges (5.3); one that pays is made.
  bool exchange(EngineOutcome& out, std::vector<Index>& extra) {
    if (!out.coordinate_optimal) return false;
    const auto found = best_exchange(problem_, out.best, stop_);
    out.bound.sweeps += found.sweeps;
    out.swap_optimal = found.complete && !found.pays;
    if (!found.pays) return false;
    extra.push_back(found.in);
    return try_exchange(problem_, found.out, found.in, out.best, stop_);
  }

  const problem::Problem<F, L>& problem_;
  LocalSearch how_;
  core::Stop& stop_;
};

}  // namespace ellzero::solve
