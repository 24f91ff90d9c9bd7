// The steps of the engine.
#include "solve/engine.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::solve {

template <class L>
EngineOutcome Engine<L>::run(const problem::Coefficients& near) {
  EngineOutcome out;
  if (search_settings_.proves || !is_blind()) relax(near, out);
  tell("relaxation", out);
  search_from(nullptr, out);
  return out;
}

template <class L>
void Engine<L>::go_on(Incumbent from, EngineOutcome& out) {
  out.coordinate_optimal = out.swap_optimal = false;
  if (out.bound.tau.empty() && (search_settings_.proves || !is_blind())) complete(problem_, out.bound);
  search_from(&from, out);
}

template <class L>
bool Engine<L>::is_the_only_solution(const RelaxedOutcome& bound) {
  const auto& beta = bound.beta;
  const auto& penalty = problem_.penalty;
  constexpr double margin = 1e-6;
  if (!may_be_solved_to_the_end() || !bound.at_the_end || beta.support.size() > largest_system ||
      bound.gap > RelaxedSettings{}.tolerance * std::abs(bound.lower_bound))
    return false;
  std::vector<char> used(bound.tau.size(), 0);
  for (const Index j : beta.support) used[j] = 1;
  for (Index j = 0; j < std::ssize(used); ++j)
    if (used[j] == 0 && std::abs(bound.tau[j]) > (1 - margin) * penalty[j].threshold(-bound.tau[j])) return false;
  auto& gram = *memory_->gram;
  gram.measure_by(problem_.weights);
  gram.know(beta.support, stop_);
  if (stop_.now()) return false;
  const std::size_t k = beta.support.size();
  std::vector<double> H(k * k);
  for (std::size_t c = 0; c < k; ++c) {
    const Index j = beta.support[c];
    if (std::abs(beta.values[c]) <= margin * penalty[j].knee(beta.values[c])) return false;
    for (std::size_t r = c; r < k; ++r) {
      const Index i = beta.support[r];
      H[c * k + r] = gram(i, j) - (problem_.intercept ? gram.mean(i) * gram.mean(j) / gram.total() : 0);
    }
    H[c * k + c] += penalty[j].relaxation_curvature(beta.values[c]);
  }
  return is_definite(H, static_cast<Index>(k));
}

template <class L>
void Engine<L>::search_from(Incumbent* start, EngineOutcome& out) {
  const bool blind = is_blind();
  const auto guide = guiding(problem_);
  const RelaxedOutcome elsewhere = blind ? guided(guide) : RelaxedOutcome{};
  const RelaxedOutcome& where = blind ? elsewhere : out.bound;
  out.best =
      start != nullptr ? std::move(*start) : best_on_support(problem_, rounded(guide.penalty, where.beta), stop_);
  if (search_settings_.effort == Effort::Thorough) search({Effort::Default, search_settings_.seed}, guide, where, out);
  search(search_settings_, guide, where, out);
  refine(out);
  out.bound.sweeps = tau_.sweeps();
}

template <class L>
bool Engine<L>::is_blind() const {
  return problem_.penalty.may_need_scaling() && problem_.penalty.lambdas().lambda0 > 0;
}

template <class L>
bool Engine<L>::is_large(const EngineOutcome& out) {
  return out.bound.beta.support.size() > largest_system;
}

template <class L>
double Engine<L>::tolerance(const EngineOutcome& out, double upper) {
  constexpr double share = 1e-4;
  return std::max(RelaxedSettings{}.tolerance, share * (upper - out.bound.lower_bound) / std::abs(upper));
}

template <class L>
void Engine<L>::relax(const problem::Coefficients& near, EngineOutcome& out) {
  if (!near.support.empty() || !search_settings_.proves) {
    RelaxedSolver<L> solver(problem_, std::move(tau_));
    solver.start_from(near);
    RelaxedSettings settings{search_settings_.proves ? RelaxedSettings{}.tolerance : a_start};
    settings.every_tau = false;
    settings.to_the_end = search_settings_.proves;
    out.bound = solver.solve(settings, stop_);
    tau_ = std::move(solver).tau();
    if (!search_settings_.proves || stop_.now() || is_the_only_solution(out.bound)) return;
  }
  relax_alone(out);
}

template <class L>
void Engine<L>::relax_alone(EngineOutcome& out) {
  RelaxedSolver<L> solver(problem_, std::move(tau_));
  RelaxedSettings settings;
  settings.every_tau = false;
  settings.to_the_end = may_be_solved_to_the_end();
  const double proved = std::exchange(out.bound, {}).lower_bound;
  if (problem_.penalty.lambdas().lambda0 > 0) {
    auto roughly = settings;
    roughly.tolerance = rough;
    roughly.to_the_end = false;
    out.bound = solver.solve(roughly, stop_);
    if (is_large(out)) {
      settings.to_the_end = false;
      settings.tolerance =
          tolerance(out, best_on_support(problem_, rounded(problem_.penalty, out.bound.beta), stop_).objective);
    }
  }
  if (out.bound.rounds == 0 || !stop_.now()) out.bound = solver.solve(settings, stop_);
  tau_ = std::move(solver).tau();
  if (!is_large(out) && out.bound.gap > stuck * std::abs(out.bound.lower_bound)) approach(settings, out);
  out.bound.lower_bound = std::max(out.bound.lower_bound, proved);
}

template <class L>
void Engine<L>::approach(const RelaxedSettings& settings, EngineOutcome& out) {
  const auto& lambdas = problem_.penalty.lambdas();
  if (lambdas.lambda0 == 0 || problem_.penalty.may_need_scaling()) return;
  problem::Coefficients near;
  for (double factor = 32; factor >= 1 && !stop_.now(); factor /= 2) {
    auto priced = problem_;
    priced.penalty = problem_.penalty.with({factor * lambdas.lambda0, lambdas.lambda1, lambdas.lambda2});
    RelaxedSolver<L> solver(priced, std::move(tau_));
    solver.start_from(near);
    auto found = solver.solve(settings, stop_);
    tau_ = std::move(solver).tau();
    near = found.beta;
    if (factor == 1 && found.lower_bound > out.bound.lower_bound) out.bound = std::move(found);
  }
}

template <class L>
void Engine<L>::refine(EngineOutcome& out) {
  RelaxedSettings settings{tolerance(out, out.best.objective)};
  settings.every_tau = false;
  if (!search_settings_.proves || !is_large(out) ||
      out.bound.gap <= 2 * settings.tolerance * std::abs(out.best.objective) || stop_.now())
    return;
  RelaxedSolver<L> solver(problem_, std::move(tau_));
  solver.start_from(out.bound.beta);
  auto outcome = solver.solve(settings, stop_);
  if (outcome.lower_bound > out.bound.lower_bound) out.bound = std::move(outcome);
  tau_ = std::move(solver).tau();
}

template <class L>
RelaxedOutcome Engine<L>::guided(const problem::Problem<L>& guide) {
  RelaxedSolver<L> solver(guide, std::move(tau_));
  RelaxedSettings settings;
  settings.every_tau = false;
  settings.tolerance = search_settings_.proves ? rough : a_start;
  if (!search_settings_.proves)
    solver.start_from(memory_->guided);  // a search that proves does not show where it began
  auto outcome = solver.solve(settings, stop_);
  tau_ = std::move(solver).tau();
  if (!search_settings_.proves) memory_->guided = outcome.beta;
  return outcome;
}

template <class L>
void Engine<L>::search(const SearchSettings& settings, const problem::Problem<L>& guide, const RelaxedOutcome& where,
                       EngineOutcome& out) {
  constexpr int most_rounds = 50;
  // Losses without a curvature from below leave very many pairs to try one by one: only when told to be thorough.
  int certificates = settings.effort == Effort::Thorough                  ? most_rounds
                     : settings.effort == Effort::Default && L::quadratic ? 3
                                                                          : 0;
  auto quick = settings;
  quick.effort = Effort::Quick;
  const std::size_t count = settings.candidates(where.beta.support.size(), L::quadratic);
  std::optional<Candidates<L>> candidates;
  std::vector<Index> extra;
  const bool in_steps = is_large(out) && settings.effort != Effort::Quick;
  bool changed = true, in_full = !in_steps;
  for (int round = 0; round < most_rounds && !stop_.now() && !closed(out); ++round) {
    if (changed)
      candidates.emplace(problem_, choose_candidates(guide, where, out.best.beta.support, extra, count),
                         *memory_->gram);
    out.searches += local_search(problem_, *candidates, in_full ? settings : quick, out.best, stop_);
    tell("search", out);
    if (stop_.now()) break;
    changed = enter(out, count / 4 + 1, extra) || (in_full && certificates-- > 0 && exchange(out, extra));
    if (!changed && in_full) break;
    in_full = !changed || !in_steps;
  }
  if (closed(out) && !out.coordinate_optimal) enter(out, 1, extra);
}

template <class L>
void Engine<L>::tell(std::string_view stage, const EngineOutcome& out) const {
  stop_.tell(Progress{.stage = stage,
                      .seconds = stop_.seconds(),
                      .objective = out.best.objective,
                      .lower_bound = out.bound.lower_bound,
                      .nonzeros = static_cast<Index>(out.best.beta.support.size())});
}

template <class L>
bool Engine<L>::closed(const EngineOutcome& out) const {
  return out.best.objective - out.bound.lower_bound <= 1e-9 * std::abs(out.best.objective);
}

template <class L>
bool Engine<L>::enter(EngineOutcome& out, std::size_t most, std::vector<Index>& extra) {
  auto found = entrants(problem_, out.best, tau_);
  out.coordinate_optimal = found.empty();
  if (found.empty()) return false;
  std::sort(found.begin(), found.end(), std::greater<>());
  found.resize(std::min(found.size(), most));
  for (const auto& entrant : found) extra.push_back(entrant.second);
  if (extra.size() > most) extra.erase(extra.begin(), extra.end() - static_cast<std::ptrdiff_t>(most));
  return try_exchange(problem_, -1, found.front().second, out.best, stop_);
}

template <class L>
bool Engine<L>::exchange(EngineOutcome& out, std::vector<Index>& extra) {
  if (!out.coordinate_optimal) return false;
  constexpr Index unlimited = std::numeric_limits<Index>::max(), sweeps = 150;
  out.swap_optimal = known_as_swap_optimal(out.best);
  if (out.swap_optimal) return false;
  const Index most_products =
      search_settings_.effort == Effort::Thorough ? unlimited : sweeps * problem_.features.cols();
  const auto found = ExchangeSearch(problem_, out.best, tau_, stop_).run(most_products);
  out.swap_optimal = found.complete && !found.pays;
  if (out.swap_optimal) memory_->swap_optimal[out.best.beta.support] = out.best.objective;
  if (!found.pays) return false;
  extra.push_back(found.in);
  return try_exchange(problem_, found.out, found.in, out.best, stop_);
}

template <class L>
bool Engine<L>::known_as_swap_optimal(const Incumbent& at) const {
  const auto known = memory_->swap_optimal.find(at.beta.support);
  return known != memory_->swap_optimal.end() && problem_.penalty.always_in_count() == 0 &&
         std::abs(known->second) <= 2 * std::abs(at.objective);
}

#define INSTANTIATE(L) template class Engine<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
