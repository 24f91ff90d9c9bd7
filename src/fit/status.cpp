// The names of statuses, as the JSON output spells them.
#include "ellzero/status.hpp"

namespace ellzero {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::Optimal:
      return "optimal";
    case Status::SwapOptimal:
      return "swap_optimal";
    case Status::CoordinateOptimal:
      return "coordinate_optimal";
    case Status::Stationary:
      return "stationary";
    case Status::TimeLimit:
      return "time_limit";
    case Status::NodeLimit:
      return "node_limit";
    case Status::MemoryLimit:
      return "memory_limit";
    case Status::IterationLimit:
      return "iteration_limit";
    case Status::Interrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace ellzero
