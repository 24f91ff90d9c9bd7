// The table of exit_code.hpp.
#include "cli/exit_code.hpp"

#include <algorithm>

namespace ellzero::cli {

// Whatever ends without a gap that was asked for has reached a limit, if only that of rounding.
int exit_code(Status status, double relative_gap, double gap, bool must_close) {
  constexpr double rounding = 1e-10;
  switch (status) {
    case Status::Optimal:
      return 0;
    case Status::SwapOptimal:
    case Status::CoordinateOptimal:
    case Status::Stationary:
      return must_close && !(relative_gap <= std::max(gap, rounding)) ? limit_reached : 0;
    case Status::TimeLimit:
    case Status::NodeLimit:
    case Status::MemoryLimit:
    case Status::IterationLimit:
      return limit_reached;
    case Status::Interrupted:
      return interrupted;
  }
  return limit_reached;
}

}  // namespace ellzero::cli
