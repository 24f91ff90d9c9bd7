// `ellzero path`: a whole family of models, one row for each value of a grid.
#include <chrono>
#include <utility>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "cli/options.hpp"
#include "cli/several.hpp"
#include "cli/style.hpp"
#include "cli/watcher.hpp"
#include "ellzero/path.hpp"

namespace ellzero::cli {

int run_path(std::vector<std::string> arguments) {
  auto options = parse_options("path", "A whole family of models, from the sparsest on, each with its lower bound.",
                               std::move(arguments));
  if (!options) return 0;
  const Input input = read_input(*options);
  const auto start = std::chrono::steady_clock::now();
  const auto walk_watched = [&] {
    Watcher watcher(chosen_style(*options, false), nullptr, options->settings.time_limit);
    return path(input.data(), options->settings, &watcher);
  };
  const Path found = walk_watched();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  print_models({.title = options->settings.k ? "path over k" : "path over lambda0",
                .models = {},
                .grid = true,
                .seconds = time.count()},
               found.models, input, *options);
  return exit_code(found.status, 0, options->settings.gap, false);
}

}  // namespace ellzero::cli
