// How a command looks: colours on stdout and progress on stderr, by what the user says and where they go.
#pragma once

#include "cli/options.hpp"
#include "cli/watcher.hpp"

namespace ellzero::cli {

bool wants_color(const Options& options);
/// A proof is shown as a table, all else as one line.
ProgressStyle chosen_style(const Options& options, bool proves);

}  // namespace ellzero::cli
