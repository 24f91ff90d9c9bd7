// The front door of path(): the grid, and one model for each of its values.
#include "ellzero/path.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ellzero/error.hpp"
#include "ellzero/fit.hpp"
#include "ellzero/settings_table.hpp"

namespace ellzero {
namespace {

/// The values from what one feature is worth down to a thousandth of it.
std::vector<double> made_grid(const Dataset& data, const Settings& settings, Observer* observer) {
  auto budget = settings;
  budget.k = 0;
  const double empty = fit(data, budget, observer).objective;
  budget.k = 1;
  const double highest = std::max(empty - fit(data, budget, observer).objective, 1e-12 * std::abs(empty));
  std::vector<double> grid;
  for (int m = 0; m < settings.grid_size; ++m)
    grid.push_back(highest * std::pow(1e-3, m / std::max(1.0, settings.grid_size - 1.0)));
  return grid;
}

}  // namespace

Path path(const Dataset& data, const Settings& settings, Observer* observer) {
  validate(settings);
  if (settings.lambda0) throw Error(ErrorCode::Usage, "lambda0: is set; expected lambda0_grid, or none, for a path");
  Path result;
  const auto add = [&](const Settings& point) {
    result.models.push_back(fit(data, point, observer));
    result.status = std::max(result.status, result.models.back().status);
    return static_cast<Index>(result.models.back().support.size()) <= settings.max_nonzeros.value_or(1000000);
  };
  auto point = settings;
  if (settings.k) {
    for (point.k = 0; *point.k <= *settings.k && add(point); ++*point.k) {
    }
    return result;
  }
  auto grid = settings.lambda0_grid.empty() ? made_grid(data, settings, observer) : settings.lambda0_grid;
  std::sort(grid.rbegin(), grid.rend());
  for (const double lambda0 : grid) {
    point.lambda0 = lambda0;
    if (!add(point)) break;
  }
  return result;
}

}  // namespace ellzero
