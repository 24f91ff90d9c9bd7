// The exit code of a computation: 0 done, 4 a limit was reached, 130 interrupted.
#pragma once

#include "ellzero/status.hpp"

namespace ellzero::cli {

inline constexpr int limit_reached = 4;
inline constexpr int interrupted = 130;

/// `gap` is the relative gap that was asked for; it must be met where `must_close` says so.
int exit_code(Status status, double relative_gap, double gap, bool must_close);

}  // namespace ellzero::cli
