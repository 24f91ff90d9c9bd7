// Choices by a criterion: over the models of a path, the sizes between them, and all subsets where they can be
// searched.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "ellzero/prove_chosen.hpp"
#include "exact/sizes/every_size.hpp"
#include "fit/chooser.hpp"
#include "fit/criterion.hpp"
#include "fit/results.hpp"
#include "fit/sizes.hpp"
#include "loss/all.hpp"
#include "select/choice.hpp"
#include "select/grid.hpp"

namespace ellzero::front {
namespace {

/// Of the scores the least.
void pick(double relax, Selection& result) {
  std::vector<select::Candidate> models;
  for (std::size_t m = 0; m < result.path.models.size(); ++m) {
    const Result& model = result.path.models[m];
    models.push_back({result.score[m], 0, std::ssize(model.support), model.lambda0.value_or(0)});
  }
  if (models.empty()) return;
  result.relax.assign(models.size(), relax);
  result.best = result.one_error = result.as_good = result.chosen = static_cast<Index>(select::best_of(models));
}

bool is_shrunk(const Result& model) { return model.lambda1 > 0 || model.lambda2 > 0; }

}  // namespace

template <class L>
void Chooser<L>::among_sizes_between(const Settings& settings, Walk<L>& walk) {
  const Criterion<L> criterion(question_, settings.select);
  // Objectives, prices apart, in place of losses: the shrinkage of neighbours is alike.
  double least = std::numeric_limits<double>::infinity();
  for (const Result& model : walk.path().models) {
    const Index size = std::ssize(model.support);
    least =
        std::min(least, criterion.at(model.objective - model.lambda0.value_or(0) * static_cast<double>(size), size));
  }
  walk.add_between(settings, stop_,
                   [&](Index size, double objective) { return criterion.at(objective, size) < least; });
}

template <class L>
void Chooser<L>::by_criterion(Selection& result) {
  constexpr Index a_moment = 100'000;  // nodes
  const Criterion<L> criterion(question_, settings_.select);
  const auto& models = result.path.models;
  result.by = result.metric = settings_.select;
  result.rule = "min";
  result.status = result.path.status;
  for (const Result& model : models) result.score.push_back(criterion.of(model));
  pick(settings_.relax.value_or(0), result);
  if (models.empty() || std::any_of(models.begin(), models.end(), is_shrunk)) return;
  bounds_.emplace();
  for (const Result& model : models) add_bound(model, *bounds_);
  search_subsets(a_moment, result);
  compare_with_all_subsets(result);
}

template <class L>
void Chooser<L>::search_subsets(Index most_nodes, Selection& selection) {
  if constexpr (std::is_same_v<L, loss::Squared>) {
    const auto& problem = question_.problem();
    const Index p = problem.features.cols();
    if (p > exact::sizes::EverySizeSearch::most_features || stop_.now()) return;
    constexpr double as_good = 1 + 1e-9;  // so that the chosen model is found again, with what is proved of it
    const Criterion<L> criterion(question_, selection.by);
    const double score = selection.score[static_cast<std::size_t>(selection.chosen)];
    SizesWanted wanted{p, most_nodes};
    for (Index size = 0; size <= p; ++size) wanted.worth.push_back(as_good * criterion.loss_at(score, size));
    for (Result& model : every_size(problem, settings_, wanted, stop_)) learn(std::move(model), selection);
  }
}

template <class L>
void Chooser<L>::learn(Result proved, Selection& selection) {
  if (!bounds_) return;
  add_bound(proved, *bounds_);
  const Criterion<L> criterion(question_, selection.by);
  const double score = criterion.of(proved);
  auto& models = selection.path.models;
  const auto place = static_cast<std::size_t>(selection.chosen);
  if (score < selection.score[place] && proved.support != models[place].support) {
    selection.score.push_back(score);
    models.push_back(std::move(proved));
    pick(selection.relax.front(), selection);
  } else if (proved.support == models[place].support && proved.status == Status::Optimal && proved.k) {
    models[place] = std::move(proved);  // the best of its size
  }
}

template <class L>
void Chooser<L>::compare_with_all_subsets(Selection& selection) const {
  if (!bounds_) return;
  const auto least = Criterion<L>(question_, selection.by).least(*bounds_);
  if (bounds_->of(least.size) > 0) selection.least = least.value;  // otherwise it says nothing
  selection.proved = !open_size(selection);
}

template <class L>
std::optional<Index> Chooser<L>::open_size(const Selection& selection) const {
  constexpr double most = 1e-4;
  const auto least =
      Criterion<L>(question_, selection.by).least(*bounds_, std::clamp(settings_.gap, rounding_floor, most));
  return least.value < selection.score[static_cast<std::size_t>(selection.chosen)] ? std::optional(least.size)
                                                                                   : std::nullopt;
}

template <class L>
void Chooser<L>::prove_criterion(Selection& selection) {
  if (!bounds_) return;
  if (open_size(selection)) search_subsets(std::numeric_limits<Index>::max(), selection);
  for (auto size = open_size(selection); size && !stop_.now();) {
    auto settings = settings_of(selection.path.models[static_cast<std::size_t>(selection.chosen)], settings_);
    settings.lambda0.reset();
    settings.k = size;
    auto found = find(question_.problem(), settings, stop_);
    learn(to_proved_result(found, settings, nullptr, stop_), selection);
    const auto before = std::exchange(size, open_size(selection));
    if (size == before) break;  // a limit came first
  }
  compare_with_all_subsets(selection);
}

#define INSTANTIATE(L)                                                         \
  template void Chooser<L>::among_sizes_between(const Settings&, Walk<L>&);    \
  template void Chooser<L>::by_criterion(Selection&);                          \
  template void Chooser<L>::search_subsets(Index, Selection&);                 \
  template void Chooser<L>::learn(Result, Selection&);                         \
  template void Chooser<L>::compare_with_all_subsets(Selection&) const;        \
  template std::optional<Index> Chooser<L>::open_size(const Selection&) const; \
  template void Chooser<L>::prove_criterion(Selection&);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
