// How a caller watches a long computation and stops it.
#pragma once

#include <string_view>

#include "ellzero/dataset.hpp"

namespace ellzero {

struct Progress {
  std::string_view stage;  ///< "relaxation", "search", "path", "proof", "method" for a published one
  double seconds;
  double objective;    ///< of the incumbent; NaN while there is none
  double lower_bound;  ///< NaN while there is none
  Index nonzeros;
  Index nodes = 0;   ///< of the proof so far
  Index open = 0;    ///< nodes that wait
  Index point = 0;   ///< of a path, from 1
  Index points = 0;  ///< grid values in all, 0 while unknown
};

/// One iterate of a published method (Settings::method): its own P and D, not the best so far.
struct Iteration {
  Index number;
  double seconds;
  double objective;
  double lower_bound;  ///< a valid one for the whole problem; NaN where this iterate has none
  double gap;          ///< objective - lower_bound
  Index nonzeros;
  Index active;    ///< features that the method works on
  Index screened;  ///< features that it has ruled out
};

/// Derive from it and hand it to fit(). All functions are called from the calling thread; they may throw.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_progress(const Progress& /*progress*/) {}
  /// Every iteration of a published method: its trace.
  virtual void on_iteration(const Iteration& /*iteration*/) {}
  /// Asked many times a second; true ends the computation with the incumbent and Status::Interrupted.
  virtual bool should_stop() { return false; }
};

}  // namespace ellzero
