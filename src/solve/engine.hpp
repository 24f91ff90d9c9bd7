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
    while (!stop_.now() && !closed(out)) {
      search(out, extra);
      tell("search", out);
      auto entrants = find_entrants(out);
      if (entrants.empty()) entrants = find_exchange(out);
      if (entrants.empty()) break;
      extra.insert(extra.end(), entrants.begin(), entrants.end());
    }
    if (closed(out) && !out.coordinate_optimal) find_entrants(out);
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
      if (std::none_of(moves.begin(), moves.end(), [&](const auto& move) { return try_move(out, candidates, move); }))
        break;
    }
  }

  bool try_move(EngineOutcome& out, const Candidates<F, L>& candidates, const GramSearch::Move& move) {
    std::vector<Index> support = out.best.beta.support;
    if (move.out >= 0) std::erase(support, candidates.columns()[move.out]);
    if (move.in >= 0) support.push_back(candidates.columns()[move.in]);
    std::sort(support.begin(), support.end());
    return try_support(out, support);
  }

  /// Takes the support if it is really better; "really" leaves room for rounding.
  bool try_support(EngineOutcome& out, std::span<const Index> support) {
    Incumbent next = best_on_support(problem_, support, &out.best.beta);
    if (!(next.objective < out.best.objective - 1e-12 * std::abs(out.best.objective))) return false;
    out.best = std::move(next);
    return true;
  }

  /// Features whose own hard step (5.1) lowers P; none means coordinate-wise optimal (5.2). One sweep.
  std::vector<Index> find_entrants(EngineOutcome& out) {
    const auto& u = out.best.u;
    std::vector<double> alpha(u.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      alpha[i] = problem_.weights[i] * problem_.loss.derivative(u[i], problem_.y[i]);
    std::vector<double> beta(static_cast<std::size_t>(problem_.features.cols()), 0.0);
    for (std::size_t c = 0; c < out.best.beta.support.size(); ++c)
      beta[out.best.beta.support[c]] = out.best.beta.values[c];
    const auto found =
        problem_.features.sweep(alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), HardSteps{&problem_, beta})
            .entrants;
    ++out.bound.sweeps;
    out.coordinate_optimal = found.empty();
    return found;
  }

  struct HardSteps {
    const problem::Problem<F, L>* problem;
    std::span<const double> beta;
    std::vector<Index> entrants = {};

    void visit(Index j, double tau) {
      const double L_j = problem->features.norm(j) * problem->features.norm(j) / problem->loss.mu();
      if (L_j == 0 || beta[j] != 0) return;
      if (problem->penalty[j].hard_step(L_j, -tau) != 0) entrants.push_back(j);
    }
    void merge(const HardSteps& next) { entrants.insert(entrants.end(), next.entrants.begin(), next.entrants.end()); }
  };

  /// The certificate pass over all exchanges (5.3); an exchange that pays is made, and its new feature returned.
  std::vector<Index> find_exchange(EngineOutcome& out) {
    if (settings_.effort != Effort::Thorough) return {};
    const auto exchange = best_exchange(problem_, out.best, stop_);
    out.bound.sweeps += exchange.sweeps;
    if (!exchange.complete) return {};
    if (!exchange.pays) {
      out.swap_optimal = true;
      return {};
    }
    std::vector<Index> support = out.best.beta.support;
    std::erase(support, exchange.out);
    support.push_back(exchange.in);
    std::sort(support.begin(), support.end());
    return try_support(out, support) ? std::vector<Index>{exchange.in} : std::vector<Index>{};
  }

  const problem::Problem<F, L>& problem_;
  EngineSettings settings_;
  core::Stop& stop_;
};

}  // namespace ellzero::solve
