// `ellzero fit`: reads a data file, fits one model, prints it.
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/labels.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/watcher.hpp"
#include "ellzero/ellzero.hpp"
#include "io/data_file.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"

namespace ellzero::cli {
namespace {

void check_form(const Settings& settings) {
  if (!settings.lambda0 && !settings.k)
    throw Error(ErrorCode::Usage, "lambda0, k: neither is set; expected --lambda0 NUMBER or --k INTEGER");
  if (settings.lambda0 && settings.k)
    throw Error(ErrorCode::Usage, fmt::format("lambda0, k: values are {} and {}; expected only one of the two",
                                              *settings.lambda0, *settings.k));
}

/// A feature by its name, or by its index from 0 where no name is that.
Index find_feature(const io::Table& table, const std::string& wanted) {
  Index found = -1;
  for (std::size_t j = 0; j < table.names.size(); ++j) {
    if (table.names[j] != wanted) continue;
    if (found >= 0) throw Error(ErrorCode::Usage, fmt::format("always: several features are called '{}'", wanted));
    found = static_cast<Index>(j);
  }
  if (found >= 0) return found;
  const bool nameless = table.names.empty() && wanted.starts_with('x');
  const char* const last = wanted.data() + wanted.size();
  const auto [end, error] = std::from_chars(wanted.data() + (nameless ? 1 : 0), last, found);
  if (error == std::errc() && end == last && found >= 0 && found < table.cols()) return found;
  throw Error(ErrorCode::Usage, fmt::format("always: value is {}; expected a feature's name or an index from 0 to {}{}",
                                            io::shown(wanted), table.cols() - 1, io::suggestion(wanted, table.names)));
}

bool wants_color(const std::string& color) {
  if (color != "auto") return color == "always";
  const char* const no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && ::isatty(STDOUT_FILENO) != 0;
}

void write_stdout(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) throw Error(ErrorCode::InputOutput, "cannot write to stdout");
}

void print(Report report, const Options& options) {
  if (options.quiet) report.notes.clear();
  if (options.format == "text") return write_stdout(as_text(report, wants_color(options.color)));
  for (const std::string& note : report.notes) fmt::print(stderr, "note: {}\n", note);
  write_stdout(options.format == "json" ? as_json(report) : as_csv(report));
}

int exit_code(Status status) {
  constexpr int limit = 4, interrupted = 130;
  switch (status) {
    case Status::Optimal:
    case Status::SwapOptimal:
    case Status::CoordinateOptimal:
    case Status::Stationary:
      return 0;
    case Status::TimeLimit:
    case Status::NodeLimit:
    case Status::MemoryLimit:
    case Status::IterationLimit:
      return limit;
    case Status::Interrupted:
      return interrupted;
  }
  return limit;
}

}  // namespace

int run_fit(std::vector<std::string> arguments) {
  auto options =
      parse_options("fit", "Choose the best few features, and say how good the choice is.", std::move(arguments));
  if (!options) return 0;
  Settings& settings = options->settings;
  check_form(settings);

  const auto start = std::chrono::steady_clock::now();
  options->read.words = is_classifier(settings.loss);
  io::Table table = io::read_table(options->data, options->read);
  if (options->read.words) map_labels(table, settings.loss);
  for (const std::string& name : options->always) settings.always.push_back(find_feature(table, name));
  const std::chrono::duration<double> read_time = std::chrono::steady_clock::now() - start;

  const auto fit_watched = [&] {
    Watcher watcher(options->quiet);
    return fit({table.matrix(), table.y, table.weights, table.offset}, settings, &watcher);
  };
  const Result result = fit_watched();
  auto notes = table.notes;
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  print({result, table, std::move(notes), read_time.count(), settings.gap}, *options);
  return exit_code(result.status);
}

}  // namespace ellzero::cli
