// The root bound alone: the relaxation without any search, and the unit its cost is told in, one sweep X'v.
#pragma once

#include "ellzero/dataset.hpp"
#include "ellzero/settings.hpp"
#include "stopwatch.hpp"

namespace ellzero::bench {

struct Root {
  double lower_bound;
  double relaxed_gap;  ///< relative: how far max D may still be above lower_bound
  Index nonzeros;      ///< of the relaxed solution
  int sweeps;
  int rounds;
  Timing timing;  ///< data checked and columns' norms known before
};

Root time_root(const Dataset& data, const Settings& settings);

/// Median seconds of one pass over all columns, as the solver makes it.
double time_sweep(const Dataset& data, const Settings& settings);

}  // namespace ellzero::bench
