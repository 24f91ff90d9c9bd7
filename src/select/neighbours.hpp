// From one support to those with one feature more or less: where the next model of a path is looked for.
#pragma once

#include <vector>

#include "core/stop.hpp"
#include "solve/candidates.hpp"
#include "solve/descent.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::select {

/// The features that are in whatever they are worth.
std::vector<Index> always_in(const penalty::Penalty& penalty, Index features);

/// The best solution with one feature more, among the few features whose own steps (5.1) gain most; `at` itself where
/// none gains. `free` has price 0.
template <class L>
solve::Incumbent grown(const problem::Problem<L>& free, const solve::Incumbent& at, core::Stop& stop);

/// The solution without the features that it costs least to drop, so that `limit` are left that are not always in.
template <class L>
solve::Incumbent shrunk(const problem::Problem<L>& free, const solve::Incumbent& at, Index limit,
                        solve::FeatureGram& gram, core::Stop& stop);

}  // namespace ellzero::select
