// path(): a whole family of models, one for each value of a grid, each with its own lower bound.
#pragma once

#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

struct Path {
  /// For each lambda2 of its grid, descending, and each lambda1 of its, descending: lambda0 descending, a value that is
  /// there twice with two models; or k ascending.
  std::vector<Result> models;
  Status status = Status::Optimal;  ///< of the model that fared worst; a limit leaves the rest of the grid out
  /// Of a path over k with one lambda1 and lambda2: budgets whose best model found is the best at no lambda0. They lie
  /// above the lower convex hull of (k, objective).
  std::vector<Index> unreached = {};
};

/// With Settings::k a path over the budgets up to k, from the always-in features alone; else one over lambda0:
/// Settings::lambda0_grid, or at most Settings::grid_size values made from the data. Each model is what fit() finds
/// there or better, with a bound of its own. A row of the path ends at the first model with more than
/// Settings::max_nonzeros features. lambda0 must not be set. Settings::time_limit is for the whole path. Throws Error
/// for input that makes no sense.
///
/// A grid made from the data begins at the smallest lambda0 whose best model found has no features but the always-in
/// ones. Every next value is just below the one that lets one more feature in, and low enough that half of the values
/// would reach a thousandth of the first. It ends where nothing more is gained, or beyond Settings::max_nonzeros
/// features: by default half the samples, 100 at most. What is left of the values goes between models whose sizes
/// differ by more than one, widest first, to where both cost the same: a model in between, if some lambda0 has one,
/// shows there.
Path path(const Dataset& data, const Settings& settings, Observer* observer = nullptr);

}  // namespace ellzero
