// The exact best model of every size, in the user's units.
#pragma once

#include <limits>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"
#include "loss/squared.hpp"
#include "problem/problem.hpp"

namespace ellzero::front {

struct SizesWanted {
  Index largest;
  Index most_nodes = std::numeric_limits<Index>::max();
  std::vector<double> worth = {};  ///< by size from 0: the objective above which no model matters; empty: all do
};

/// One Result for each k from the number of always-in features on: proved, unless a limit comes first or none matters.
std::vector<Result> every_size(const problem::Problem<loss::Squared>& problem, const Settings& settings,
                               const SizesWanted& wanted, core::Stop& stop);

}  // namespace ellzero::front
