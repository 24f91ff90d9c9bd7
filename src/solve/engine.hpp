// The engine: the best solution it can find in a short time, and a valid lower bound on all solutions.
//
// 1. relaxation: max D by convex optimisation; its solution says where to look                                (4.1)
// 2. round it, and search locally among the most promising columns, coefficients re-optimised in every move
// 3. sweep: a feature outside that would enter by itself joins the candidates, and the search goes on          (5.2)
// 4. at the highest effort, or where it is cheap: no exchange of two features pays either                      (5.3)
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "solve/candidates.hpp"
#include "solve/incumbent.hpp"
#include "solve/relaxed.hpp"
#include "solve/swap_certificate.hpp"

namespace ellzero::solve {

enum class Effort { Quick, Default, Thorough };

struct EngineSettings {
  Effort effort = Effort::Default;
  std::uint64_t seed = 0;
  double relative_gap = 1e-4;
};

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
  Engine(const problem::Problem<F, L>& problem, const EngineSettings& settings, core::Stop& stop)
      : problem_(problem), settings_(settings), stop_(stop) {}

  EngineOutcome run(const Incumbent* warm = nullptr) {
    EngineOutcome out;
    RelaxedSolver<F, L> relaxed(problem_);
    out.bound = relaxed.solve({}, stop_);
    tell("relaxation", out);
    out.best = best_on_support(problem_, rounded(out.bound.beta));
    if (warm != nullptr && warm->objective < out.best.objective) out.best = *warm;
    std::vector<Index> extra;
    constexpr int most_rounds = 50;
    for (int round = 0; round < most_rounds && !stop_.now() && !closed(out); ++round) {
      search(out, extra);
      tell("search", out);
      if (!enter(out, extra) && !exchange(out, extra)) break;
    }
    if (closed(out) && !out.coordinate_optimal) enter(out, extra);
    return out;
  }

 private:
  void tell(std::string_view stage, const EngineOutcome& out) const {
    stop_.tell({stage, stop_.seconds(), out.best.objective, out.bound.lower_bound,
                static_cast<Index>(out.best.beta.support.size())});
  }

  [[nodiscard]] bool closed(const EngineOutcome& out) const {
    return out.best.objective - out.bound.lower_bound <= 1e-9 * std::abs(out.best.objective);
  }

  /// Features at or beyond half the knee of phi; without a jump there is nothing to round.                      (4.1)
  [[nodiscard]] std::vector<Index> rounded(const problem::Coefficients& beta) const {
    std::vector<Index> support;
    for (std::size_t c = 0; c < beta.support.size(); ++c) {
      const auto& coordinate = problem_.penalty[beta.support[c]];
      if (std::abs(beta.values[c]) >= 0.5 * coordinate.knee(beta.values[c])) support.push_back(beta.support[c]);
    }
    std::sort(support.begin(), support.end());
    return support;
  }

  /// The columns the relaxation likes best, those of the incumbent, and any others asked for.
  [[nodiscard]] std::vector<Index> choose_candidates(const EngineOutcome& out, std::span<const Index> extra) const {
    std::vector<std::pair<double, Index>> order;
    for (Index j = 0; j < problem_.features.cols(); ++j)
      if (problem_.features.norm(j) > 0)
        order.emplace_back(problem_.penalty[j].threshold(-out.bound.tau[j]) - std::abs(out.bound.tau[j]), j);
    const auto wanted =
        std::min(order.size(), static_cast<std::size_t>(1.5 * static_cast<double>(out.bound.beta.support.size()) + 30));
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), order.end());
    order.resize(wanted);
    std::vector<Index> columns(extra.begin(), extra.end());
    for (const auto& entry : order) columns.push_back(entry.second);
    columns.insert(columns.end(), out.best.beta.support.begin(), out.best.beta.support.end());
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

  [[nodiscard]] SearchEffort search_effort() const {
    switch (settings_.effort) {
      case Effort::Quick:
        return {};
      case Effort::Default:
        return {100, 30, 10, settings_.seed};
      case Effort::Thorough:
        return {1000, 300, 1 << 20, settings_.seed};
    }
    return {};
  }

  /// Local search in the second-order model. For squared loss without bounds the model is the problem; otherwise what
  /// it proposes is verified on the problem itself, and single moves are tried when the proposal fails.
  void search(EngineOutcome& out, std::span<const Index> extra) {
    const Candidates candidates(problem_, choose_candidates(out, extra));
    constexpr int most_models = 30;
    for (int k = 0; k < most_models && !stop_.now(); ++k) {
      ++out.searches;
      const GramModel model = candidates.model(out.best.beta, out.best.u);
      GramSearch search(model);
      search.start(candidates.places(out.best.beta.support));
      search.search(search_effort(), stop_);
      if (try_support(out, candidates.features(search.support()))) {
        if (L::quadratic && !problem_.penalty.has_boxes()) break;
        continue;
      }
      if (L::quadratic && !problem_.penalty.has_boxes()) break;
      search.start(candidates.places(out.best.beta.support));
      const auto moves = search.best_moves(settings_.effort == Effort::Quick ? 5 : 20);
      const auto feature = [&](Index place) { return place < 0 ? place : candidates.columns()[place]; };
      if (std::none_of(moves.begin(), moves.end(), [&](const GramSearch::Move& move) {
            return try_exchange(out, feature(move.out), feature(move.in));
          }))
        break;
    }
  }

  bool try_exchange(EngineOutcome& out, Index leaves, Index enters) {
    std::vector<Index> support = out.best.beta.support;
    if (leaves >= 0) std::erase(support, leaves);
    const auto place = std::lower_bound(support.begin(), support.end(), enters);
    if (place != support.end() && *place == enters) return false;  // the model had left it out, the incumbent has not
    if (enters >= 0) support.insert(place, enters);
    return try_support(out, support);
  }

  /// Takes the support if it is really better; "really" leaves room for rounding.
  bool try_support(EngineOutcome& out, std::span<const Index> support) {
    Incumbent next = best_on_support(problem_, support, &out.best.beta);
    if (!(next.objective < out.best.objective - 1e-12 * std::abs(out.best.objective))) return false;
    out.best = std::move(next);
    return true;
  }

  /// Lets in the feature whose own hard step (5.1) lowers P most, and makes all such features candidates. One sweep. If
  /// there are none the incumbent is coordinate-wise optimal (5.2).
  bool enter(EngineOutcome& out, std::vector<Index>& extra) {
    const auto& u = out.best.u;
    std::vector<double> alpha(u.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      alpha[i] = problem_.weights[i] * problem_.loss.derivative(u[i], problem_.y[i]);
    std::vector<char> used(static_cast<std::size_t>(problem_.features.cols()), 0);
    for (const Index j : out.best.beta.support) used[j] = 1;
    const HardSteps start{&problem_, used, 1e-10 * std::abs(out.best.objective)};
    const auto found = problem_.features.sweep(alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), start).entrants;
    ++out.bound.sweeps;
    out.coordinate_optimal = found.empty();
    if (found.empty()) return false;
    for (const auto& entrant : found) extra.push_back(entrant.second);
    return try_exchange(out, -1, std::max_element(found.begin(), found.end())->second);
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
    if (settings_.effort != Effort::Thorough || !out.coordinate_optimal) return false;
    const auto found = best_exchange(problem_, out.best, stop_);
    out.bound.sweeps += found.sweeps;
    out.swap_optimal = found.complete && !found.pays;
    if (!found.pays) return false;
    extra.push_back(found.in);
    return try_exchange(out, found.out, found.in);
  }

  const problem::Problem<F, L>& problem_;
  EngineSettings settings_;
  core::Stop& stop_;
};

}  // namespace ellzero::solve
