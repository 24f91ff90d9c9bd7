// The moves of local_search.hpp.
#include "solve/local_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::solve {

std::vector<SearchEffort> SearchSettings::stages() const {
  switch (effort) {
    case Effort::Quick:
      return {{}};
    case Effort::Default:
      return {{100, 30, 10, 0, seed}};
    case Effort::Thorough: {
      constexpr int all = 1 << 20;
      return {{1500, 1500, all, 0, seed},      {1500, 1500, 0, 0.002, seed + 1}, {1500, 1500, 0, 0.01, seed + 2},
              {3000, 3000, 0, 0.02, seed + 3}, {3000, 3000, 0, 0.005, seed + 4}, {3000, 3000, 0, 0.03, seed + 5}};
    }
  }
  return {};
}

std::size_t SearchSettings::candidates(std::size_t nonzeros, bool quadratic) const {
  const std::size_t likely = nonzeros + nonzeros / 2 + 30;
  return effort == Effort::Thorough ? std::max<std::size_t>(1000, std::min<std::size_t>(likely, 2000))
                                    : std::min<std::size_t>(likely, quadratic ? 1300 : 300);
}

std::vector<Index> rounded(const penalty::Penalty& penalty, const problem::Coefficients& beta) {
  std::vector<Index> support;
  for (std::size_t c = 0; c < beta.support.size(); ++c)
    if (std::abs(beta.values[c]) >= 0.5 * penalty[beta.support[c]].knee(beta.values[c]))
      support.push_back(beta.support[c]);
  std::sort(support.begin(), support.end());
  return support;
}

template <class L>
problem::Problem<L> guiding(const problem::Problem<L>& problem) {
  auto guide = problem;
  if (!problem.penalty.may_need_scaling()) return guide;
  double squares = 0;
  for (Index j = 0; j < problem.features.cols(); ++j) squares += problem.features.norm(j) * problem.features.norm(j);
  auto lambdas = problem.penalty.lambdas();
  lambdas.lambda2 = 0.01 * squares / static_cast<double>(problem.features.cols());
  guide.penalty = problem.penalty.with(lambdas);
  return guide;
}

template <class L>
std::vector<Index> choose_candidates(const problem::Problem<L>& problem, const RelaxedOutcome& relaxed,
                                     std::span<const Index> incumbent, std::span<const Index> extra,
                                     std::size_t count) {
  // Nonzeros of the relaxation first, by their fraction z; then the others, by how far they are from entering.
  std::vector<double> key(relaxed.tau.size());
  for (Index j = 0; j < problem.features.cols(); ++j)
    key[j] = std::max(0.0, problem.penalty[j].threshold(-relaxed.tau[j]) - std::abs(relaxed.tau[j]));
  for (std::size_t c = 0; c < relaxed.beta.support.size(); ++c) {
    const double b = relaxed.beta.values[c], knee = problem.penalty[relaxed.beta.support[c]].knee(b);
    key[relaxed.beta.support[c]] = knee > 0 ? -std::abs(b) / knee : -1;
  }
  constexpr double first = -std::numeric_limits<double>::infinity();
  for (const auto& list : {incumbent, extra})
    for (const Index j : list) key[j] = first;
  std::vector<std::pair<double, Index>> order;
  for (Index j = 0; j < problem.features.cols(); ++j)
    if (problem.features.norm(j) > 0 || key[j] == first) order.emplace_back(key[j], j);
  const auto wanted = std::min(order.size(), std::max(count, incumbent.size() + extra.size()));
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), order.end());
  std::vector<Index> columns;
  for (std::size_t k = 0; k < wanted; ++k) columns.push_back(order[k].second);
  std::sort(columns.begin(), columns.end());
  return columns;
}

template <class L>
bool try_support(const problem::Problem<L>& problem, std::span<const Index> support, Incumbent& best,
                 core::Stop& stop) {
  const double least = 1e-12 * std::abs(best.objective);
  Incumbent next = best_on_support(problem, support, stop, &best.beta, L::quadratic ? 1e-15 : 1e-8);
  if (!L::quadratic && next.objective < best.objective + 1e6 * least) {  // close enough to look again
    const auto warm = std::move(next.beta);
    next = best_on_support(problem, warm.support, stop, &warm);
  }
  if (!(next.objective < best.objective - least)) return false;
  best = std::move(next);
  return true;
}

template <class L>
bool try_exchange(const problem::Problem<L>& problem, Index leaves, Index enters, Incumbent& best, core::Stop& stop) {
  std::vector<Index> support = best.beta.support;
  if (leaves >= 0) std::erase(support, leaves);
  const auto place = std::lower_bound(support.begin(), support.end(), enters);
  if (place != support.end() && *place == enters) return false;  // the model had left it out, the incumbent has not
  if (enters >= 0) support.insert(place, enters);
  return try_support(problem, support, best, stop);
}

template <class L>
Index local_search(const problem::Problem<L>& problem, Candidates<L>& candidates, const SearchSettings& settings,
                   Incumbent& best, core::Stop& stop) {
  const bool exact = L::quadratic && !problem.penalty.has_boxes();
  const auto feature = [&](Index place) { return place < 0 ? place : candidates.columns()[place]; };
  constexpr Index most_models = 30;
  Index models = 0;
  while (models < most_models && !stop.now()) {
    ++models;
    const GramModel& model = candidates.model(best.beta, best.u, stop);
    if (stop.now()) break;
    const auto proposal = [&] {
      GramSearch search(model, settings.limit);
      search.start(candidates.places(best.beta.support));
      for (const SearchEffort& stage : settings.stages()) search.search(stage, stop);
      return candidates.features(search.support());
    };
    const bool better = try_support(problem, proposal(), best, stop);
    if (exact) break;
    if (better) continue;
    GramSearch search(model, settings.limit);
    search.start(candidates.places(best.beta.support));
    const auto moves = search.best_moves(settings.effort == Effort::Quick ? 5 : 20);
    if (std::none_of(moves.begin(), moves.end(), [&](const GramSearch::Move& move) {
          const auto others = std::count_if(best.beta.support.begin(), best.beta.support.end(),
                                            [&](Index j) { return !problem.penalty.always_in(j); });
          const auto size = others + (move.in >= 0 ? 1 : 0) - (move.out >= 0 ? 1 : 0);
          return size <= settings.limit && try_exchange(problem, feature(move.out), feature(move.in), best, stop);
        }))
      break;
  }
  return models;
}

#define INSTANTIATE(L)                                                                                             \
  template problem::Problem<L> guiding(const problem::Problem<L>& problem);                                        \
  template std::vector<Index> choose_candidates(const problem::Problem<L>& problem, const RelaxedOutcome& relaxed, \
                                                std::span<const Index> incumbent, std::span<const Index> extra,    \
                                                std::size_t count);                                                \
  template bool try_support(const problem::Problem<L>& problem, std::span<const Index> support, Incumbent& best,   \
                            core::Stop& stop);                                                                     \
  template bool try_exchange(const problem::Problem<L>& problem, Index leaves, Index enters, Incumbent& best,      \
                             core::Stop& stop);                                                                    \
  template Index local_search(const problem::Problem<L>& problem, Candidates<L>& candidates,                       \
                              const SearchSettings& settings, Incumbent& best, core::Stop& stop);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
