// The sentences of proof_text.hpp.
#include "io/proof/proof_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace ellzero::io::proof {

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.3g} %", 100 * share) : std::string("unknown");
}

std::string proof_text(Status status, double gap, double relative_gap, double allowed) {
  const std::string best = std::isfinite(relative_gap)
                               ? fmt::format("no solution can be better by more than {}", percent(relative_gap))
                               : std::string("nothing is known about better ones");
  switch (status) {
    case Status::Optimal:
      return gap == 0 ? std::string("optimal: no solution is better")
                      : fmt::format("optimal: {} (--gap allows {})", best, percent(allowed));
    case Status::SwapOptimal:
      return "no feature can be added, dropped or exchanged with a gain; " + best;
    case Status::CoordinateOptimal:
      return "no single coefficient can be changed with a gain; " + best;
    case Status::Stationary:
      return "the method's own stopping rule is met; " + best;
    case Status::TimeLimit:
      return "stopped by the time limit; " + best;
    case Status::NodeLimit:
      return "stopped by the node limit; " + best;
    case Status::MemoryLimit:
      return "stopped by the memory limit; " + best;
    case Status::IterationLimit:
      return "stopped by the limit of iterations; " + best;
    case Status::Interrupted:
      return "interrupted; " + best;
  }
  return {};
}

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::Always:
      return "in every optimum";
    case Verdict::Never:
      return "in no optimum";
    case Verdict::Undecided:
      return "";
  }
  return "";
}

}  // namespace ellzero::io::proof
