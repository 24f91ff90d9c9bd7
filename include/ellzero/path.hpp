// path(): a whole family of models, one for each value of a grid, each with its own lower bound.
#pragma once

#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

struct Path {
  /// Over lambda0: for each pair of lambda2 and lambda1 of the grids, lambda0 descending. Over k: k ascending.
  std::vector<Result> models;
  Status status = Status::Optimal;  ///< of the model that fared worst; a limit leaves the rest of the grid out
};

/// With Settings::k a path over the budgets 0 to k, else one over lambda0: Settings::lambda0_grid, or a grid of
/// Settings::grid_size values made from the data. Ends early beyond Settings::max_nonzeros features. lambda0 must not
/// be set. Throws Error for input that makes no sense.
Path path(const Dataset& data, const Settings& settings, Observer* observer = nullptr);

}  // namespace ellzero
