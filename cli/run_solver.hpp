// What fit and prove have in common: read the data, compute under watch, save, print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ellzero::cli {

/// `command` is fit or prove; returns the exit code.
int run_solver(std::string_view command, std::string_view summary, std::vector<std::string> arguments);

}  // namespace ellzero::cli
