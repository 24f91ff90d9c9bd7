// The rows of a walk, one for each pair of lambda2 and lambda1.
#include "fit/walk.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "fit/results.hpp"
#include "loss/all.hpp"
#include "select/grid.hpp"

namespace ellzero::front {
namespace {

/// The values asked for, descending and each once; the one value where none are.
std::vector<double> values(std::vector<double> grid, double alone) {
  if (grid.empty()) grid.push_back(alone);
  std::sort(grid.begin(), grid.end(), std::greater<>());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

template <class L>
select::PriceGrid chosen_grid(const problem::Problem<L>& problem, const Settings& settings) {
  select::PriceGrid grid;
  grid.lambda0 = settings.lambda0_grid;
  grid.lambda1 = values(settings.lambda1_grid, problem.penalty.lambdas().lambda1);
  grid.lambda2 = values(settings.lambda2_grid, problem.penalty.lambdas().lambda2);
  grid.made.values = settings.grid_size;
  const bool made = grid.lambda0.empty() && !settings.k;
  grid.made.most_nonzeros = settings.max_nonzeros.value_or(
      made ? select::sensible_nonzeros(problem.weights, problem.features.cols()) : std::numeric_limits<Index>::max());
  return grid;
}

}  // namespace

template <class L>
Walk<L>::Walk(const Question<L>& question, const Settings& settings, core::Stop& stop) {
  if (settings.k) over_budgets(question.problem(), settings, stop);
  else over_prices(question.problem(), settings, stop);
  if (stop.reason()) path_.status = *stop.reason();
}

template <class L>
void Walk<L>::insert(std::size_t place, Result model, std::function<Found<L>()> found) {
  const auto offset = static_cast<std::ptrdiff_t>(place);
  path_.status = std::max(path_.status, model.status);
  path_.models.insert(path_.models.begin() + offset, std::move(model));
  found_.insert(found_.begin() + offset, std::move(found));
}

template <class L>
void Walk<L>::over_prices(const problem::Problem<L>& problem, const Settings& settings, core::Stop& stop) {
  price_rows_ = select::walk(problem, chosen_grid(problem, settings), chosen_search(settings), stop, *progress_,
                             std::make_shared<solve::FeatureGram>(problem.features));
  for (auto& row : price_rows_)
    for (auto& point : row.points()) {
      auto found = found_at_price(select::at_price(row.free(), point.lambda0), std::move(point.outcome));
      const Ending ending{point.limit, point.seconds};
      Result model = to_result(found, settings, stop, &ending);
      solve::forget_tau(found.relaxed);
      point.outcome.best = std::move(found.best);
      point.outcome.bound = std::move(found.relaxed);
      add(std::move(model), [&free = row.free(), &point] {
        return found_at_price(select::at_price(free, point.lambda0), solve::EngineOutcome(point.outcome));
      });
    }
}

template <class L>
void Walk<L>::over_budgets(const problem::Problem<L>& problem, const Settings& settings, core::Stop& stop) {
  const auto grid = chosen_grid(problem, settings);
  progress_->points = static_cast<Index>(grid.lambda1.size() * grid.lambda2.size()) *
                      (*settings.k - problem.penalty.always_in_count() + 1);
  budget_rows_.reserve(grid.lambda1.size() * grid.lambda2.size());
  for (const double lambda2 : grid.lambda2)
    for (const double lambda1 : grid.lambda1) {
      auto free = problem;
      free.penalty = problem.penalty.with({0, lambda1, lambda2});
      auto& row = budget_rows_.emplace_back(std::move(free), chosen_search(settings), stop, *progress_);
      row.walk(*settings.k, grid.made.most_nonzeros);
      for (const auto& point : row.points()) {
        auto found = found_within_budget(row.free(), point.k, point.outcome);
        const Ending ending{point.limit, point.seconds};
        add(to_result(found, settings, stop, &ending),
            [&free = row.free(), &point] { return found_within_budget(free, point.k, point.outcome); });
      }
      if (stop.now()) return;
    }
  if (grid.lambda1.size() * grid.lambda2.size() > 1) return;
  std::vector<double> objectives;
  for (const Result& model : path_.models) objectives.push_back(model.objective);
  for (const Index i : select::off_hull(objectives)) path_.unreached.push_back(*path_.models[i].k);
}

template <class L>
void Walk<L>::add_between(const Settings& settings, core::Stop& stop, const std::function<bool(Index, double)>& worth) {
  std::size_t place = 0;
  for (auto& row : price_rows_) {
    for (std::size_t i = 0; i < row.points().size(); ++i, ++place) {
      if (i == 0) continue;
      const select::Line before = row.points()[i - 1].line, after = row.points()[i].line;
      for (Index size = before.size + 1; size < after.size && !stop.now(); ++size) {
        const double price = select::crossing(before, after);
        if (!worth(size, before.at(price) - price * static_cast<double>(size))) continue;
        auto outcome = select::Budget(row.free(), size, chosen_search(settings), stop).run();
        auto found = found_within_budget(row.free(), size, outcome);
        insert(place++, to_result(found, settings, stop), [&free = row.free(), size, outcome = std::move(outcome)] {
          return found_within_budget(free, size, outcome);
        });
      }
    }
  }
  if (stop.reason()) path_.status = *stop.reason();
}

#define INSTANTIATE(L) template class Walk<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
