// The computations and outputs of several.hpp.
#include "cli/several.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/exit_code.hpp"
#include "cli/streams.hpp"
#include "cli/style.hpp"
#include "cli/watcher.hpp"
#include "ellzero/every_k.hpp"
#include "ellzero/pool.hpp"

namespace ellzero::cli {

void print_models(PathReport path, std::span<const Result> results, const Input& input, const Options& options) {
  for (std::size_t m = 0; m < results.size(); ++m) {
    auto notes = input.table.notes;
    notes.insert(notes.end(), results[m].notes.begin(), results[m].notes.end());
    if (options.quiet) notes.clear();
    path.models.push_back({results[m], input.table, std::move(notes), input.read_seconds, options.settings.gap});
    if (path.selection != nullptr) path.models.back().score = score_of(*path.selection, m);
  }
  if (options.format != "text") say_notes(path.models.back().notes);
  write_stdout(options.format == "json"  ? path_as_json(path)
               : options.format == "csv" ? path_as_csv(path)
                                         : path_as_text(path, wants_color(options)));
  input.table.check_unchanged();
}

int print_every_k(const Input& input, const Options& options) {
  const auto solve_watched = [&] {
    Watcher watcher(chosen_style(options, true), nullptr, options.settings.time_limit);
    auto found = every_k(input.data(), options.settings, &watcher);
    if (!found.empty()) watcher.finish(found.back());
    return found;
  };
  const auto results = solve_watched();
  print_models({"the best model of each size", {}}, results, input, options);
  int code = 0;
  for (const Result& result : results)
    code = std::max(code, exit_code(result.status, result.relative_gap, options.settings.gap, true));
  return code;
}

int print_pool(const Input& input, const Options& options) {
  const auto solve_watched = [&] {
    Watcher watcher(chosen_style(options, true), nullptr, options.settings.time_limit);
    auto found = pool(input.data(), options.settings, *options.pool, &watcher);
    if (!found.models.empty()) watcher.finish(found.models.front());
    return found;
  };
  const Pool found = solve_watched();
  const std::string title = fmt::format("models within {:g} % of the best", 100 * options.pool->margin);
  print_models({title, {}, &found}, found.models, input, options);
  return exit_code(found.status, 0, options.settings.gap, true);
}

}  // namespace ellzero::cli
