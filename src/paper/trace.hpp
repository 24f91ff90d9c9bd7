// The trace of a published method: what its observer is told of every iterate.
#pragma once

#include <algorithm>
#include <limits>

#include "core/stop.hpp"

namespace ellzero::paper {

/// What an iterate looks like in the trace.
struct Iterate {
  double objective;
  double lower_bound;  ///< NaN where it is a bound of a sub-problem only
  Index nonzeros;
  Index active;
  Index screened = 0;
};

class Trace {
 public:
  explicit Trace(core::Stop& stop) : stop_(stop) {}

  void record(Index iteration, const Iterate& at) {
    const double seconds = stop_.seconds();
    best_ = std::min(best_, at.objective);
    stop_.tell(Iteration{.number = iteration,
                         .seconds = seconds,
                         .objective = at.objective,
                         .lower_bound = at.lower_bound,
                         .gap = at.objective - at.lower_bound,
                         .nonzeros = at.nonzeros,
                         .active = at.active,
                         .screened = at.screened});
    stop_.tell(Progress{.stage = "method",
                        .seconds = seconds,
                        .objective = best_,
                        .lower_bound = at.lower_bound,
                        .nonzeros = at.nonzeros});
  }

 private:
  core::Stop& stop_;
  double best_ = std::numeric_limits<double>::infinity();  // P so far
};

}  // namespace ellzero::paper
