// The front door of path(): validate, dispatch, walk the grid, map every point back to the user's units.
#include "fit/path.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/stop.hpp"
#include "ellzero/error.hpp"
#include "fit/dispatch.hpp"
#include "fit/models.hpp"
#include "select/budget_path.hpp"
#include "select/path.hpp"

namespace ellzero {
namespace {

void check_form(const Settings& settings) {
  if (settings.lambda0)
    throw Error(ErrorCode::Usage, fmt::format("lambda0: value is {}; expected none for a path, but lambda0_grid, or "
                                              "nothing for one made from the data",
                                              *settings.lambda0));
  if (settings.k && !settings.lambda0_grid.empty())
    throw Error(ErrorCode::Usage, "k and lambda0_grid: both are set; expected one of them");
  if (settings.method != "engine")
    throw Error(ErrorCode::Usage, fmt::format("method: value is {}; expected engine for a path", settings.method));
}

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

void add(Result model, Path& path) {
  path.status = std::max(path.status, model.status);
  path.models.push_back(std::move(model));
}

template <class L>
Path over_prices(const problem::Problem<L>& problem, const Settings& settings, const solve::LocalSearch& how,
                 core::Stop& stop) {
  Path path;
  select::Course course;
  auto rows = select::walk(problem, chosen_grid(problem, settings), how, stop, course);
  for (auto& row : rows)
    for (auto& point : row.points()) {
      Result result;
      const auto priced = select::at_price(row.free(), point.lambda0);
      front::set_priced(priced, settings, point.outcome, point.outcome.bound.lower_bound, stop, result);
      front::finish(priced, settings, false, point.limit, point.seconds, result);
      solve::forget_tau(point.outcome.bound);
      add(std::move(result), path);
    }
  return path;
}

template <class L>
Path over_budgets(const problem::Problem<L>& problem, const Settings& settings, const solve::LocalSearch& how,
                  core::Stop& stop) {
  Path path;
  select::Course course;
  const auto grid = chosen_grid(problem, settings);
  course.points = static_cast<Index>(grid.lambda1.size() * grid.lambda2.size()) *
                  (*settings.k - problem.penalty.always_in_count() + 1);
  for (const double lambda2 : grid.lambda2)
    for (const double lambda1 : grid.lambda1) {
      auto free = problem;
      free.penalty = problem.penalty.with({0, lambda1, lambda2});
      select::BudgetPath<L> row(std::move(free), how, stop, course);
      row.walk(*settings.k, grid.made.most_nonzeros);
      for (auto& point : row.points()) {
        Result result;
        const auto priced = select::at_price(row.free(), point.outcome.lambda0);
        front::set_budgeted(row.free(), priced, point.k, settings, point.outcome, point.outcome.lower_bound, result);
        front::finish(row.free(), settings, false, point.limit, point.seconds, result);
        add(std::move(result), path);
      }
      if (stop.now()) return path;
    }
  if (grid.lambda1.size() * grid.lambda2.size() > 1) return path;
  std::vector<double> objectives;
  for (const Result& model : path.models) objectives.push_back(model.objective);
  for (const Index i : select::off_hull(objectives)) path.unreached.push_back(*path.models[i].k);
  return path;
}

}  // namespace

Path front::walk_path(const Dataset& data, const Settings& settings, Observer* observer, bool proves) {
  validate(settings);
  check_form(settings);
  core::Stop stop(settings.time_limit, observer);
  Settings chosen = settings;
  if (!settings.k) chosen.lambda0 = 0;
  auto how = front::chosen_search(settings);
  if (!proves) {
    how.effort = solve::Effort::Quick;
    how.proves = false;
  }
  return front::with_problem(data, chosen, [&](const auto& problem) {
    auto path = settings.k ? over_budgets(problem, chosen, how, stop) : over_prices(problem, chosen, how, stop);
    if (stop.reason()) path.status = *stop.reason();
    return path;
  });
}

Path path(const Dataset& data, const Settings& settings, Observer* observer) {
  return front::walk_path(data, settings, observer, true);
}

}  // namespace ellzero
