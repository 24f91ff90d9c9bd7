// The choices of style.hpp.
#include "cli/style.hpp"

#include <unistd.h>

#include <cstdlib>

namespace ellzero::cli {

bool wants_color(const Options& options) {
  if (options.color != "auto") return options.color == "always";
  const char* const no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && ::isatty(STDOUT_FILENO) != 0;
}

ProgressStyle chosen_style(const Options& options, bool proves) {
  if (options.quiet || options.progress == "never") return ProgressStyle::None;
  if (options.progress == "json") return ProgressStyle::Json;
  if (options.verbose) return ProgressStyle::Table;
  if (::isatty(STDERR_FILENO) == 0) return ProgressStyle::None;
  return proves ? ProgressStyle::ProofTable : ProgressStyle::Line;
}

}  // namespace ellzero::cli
