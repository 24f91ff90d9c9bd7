// `ellzero cv`: the cross-validation curve of a path.
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "cli/options.hpp"
#include "cli/several.hpp"
#include "cli/style.hpp"
#include "cli/watcher.hpp"
#include "ellzero/selection.hpp"

namespace ellzero::cli {

int run_cv(std::vector<std::string> arguments) {
  auto options =
      parse_options("cv", "How well each model of a path predicts samples that it has not seen.", std::move(arguments));
  if (!options) return 0;
  const Input input = read_input(*options);
  const auto start = std::chrono::steady_clock::now();
  const auto choose_watched = [&] {
    Watcher watcher(chosen_style(*options, false), nullptr, options->settings.time_limit);
    return choose(input.data(), options->settings, &watcher);
  };
  const Selection found = choose_watched();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  print_models({.title = fmt::format("{}, rule {}", way_of(found), found.rule),
                .models = {},
                .grid = true,
                .selection = &found,
                .seconds = time.count()},
               found.path.models, input, *options);
  return exit_code(found.status, 0, options->settings.gap, false);
}

}  // namespace ellzero::cli
