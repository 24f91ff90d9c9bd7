// How a computation ended, and what was proved; never an exception.
#pragma once

#include <string_view>

namespace ellzero {

enum class Status {
  Optimal,            ///< relative gap <= Settings::gap
  SwapOptimal,        ///< no feature can be added, dropped or exchanged for another with a gain (5.3)
  CoordinateOptimal,  ///< no single coefficient can be changed with a gain (5.2)
  Stationary,         ///< a published method's own stopping rule was met
  TimeLimit,
  NodeLimit,
  MemoryLimit,
  IterationLimit,
  Interrupted,
};

/// "optimal", "swap_optimal", ... as in the JSON output.
std::string_view to_string(Status status);

/// Whether it was time or the user that ended a computation, and more of it would tell more.
inline bool is_cut(Status status) { return status == Status::TimeLimit || status == Status::Interrupted; }

/// What is proved about a feature: whether every, none, or an unknown share of the optimal solutions use it.
enum class Verdict : unsigned char { Undecided, Always, Never };

}  // namespace ellzero
