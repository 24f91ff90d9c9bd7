// The options of a sub-command as JSON, from which docs/cli.md is made: a hidden flag of every command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ellzero::cli {

inline constexpr const char* list_options_flag = "--list-options";

/// One object with the arguments and options of `app`, in the order of its help.
std::string options_as_json(const CLI::App& app);

}  // namespace ellzero::cli
