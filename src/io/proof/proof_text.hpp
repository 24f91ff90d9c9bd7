// What is proved about a solution, in one sentence that is the same wherever it is said.
#pragma once

#include <string>
#include <string_view>

#include "ellzero/status.hpp"

namespace ellzero::io::proof {

/// "0.0123 %", or "unknown".
std::string percent(double share);

/// `allowed` is the relative gap at which a solution counts as optimal.
std::string proof_text(Status status, double gap, double relative_gap, double allowed);

/// "in every optimum", "in no optimum", or nothing where it is undecided.
std::string_view verdict_text(Verdict verdict);

}  // namespace ellzero::io::proof
