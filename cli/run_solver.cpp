// The common course of fit and prove behind run_solver.hpp.
#include "cli/run_solver.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/labels.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/print_path.hpp"
#include "cli/trace_file.hpp"
#include "cli/watcher.hpp"
#include "ellzero/ellzero.hpp"
#include "io/atomic_file.hpp"
#include "io/data_file.hpp"
#include "io/fingerprint.hpp"
#include "io/model.hpp"
#include "io/proof_file.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"

namespace ellzero::cli {
namespace {

void check_form(const Options& options) {
  const Settings& settings = options.settings;
  if (!options.trace.empty() && settings.method == "engine")
    throw Error(ErrorCode::Usage, fmt::format("trace: value is {}; expected it only with another --method than engine",
                                              io::shown(options.trace)));
  const auto refuse_files = [&](std::string_view flag) {
    if (!options.model.empty() || !options.proof.empty())
      throw Error(ErrorCode::Usage,
                  fmt::format("{}: there is no one model; expected neither --output nor --proof with it", flag));
  };
  if (options.every_k) {
    if (options.pool) throw Error(ErrorCode::Usage, "every-k, pool: both are set; expected only one of the two");
    return refuse_files("every-k");
  }
  if (options.pool) refuse_files("pool");
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

void print(Report report, const Options& options) {
  if (options.quiet) report.notes.clear();
  if (options.format == "text") return write_stdout(as_text(report, wants_color(options.color)));
  for (const std::string& note : report.notes) fmt::print(stderr, "note: {}\n", note);
  write_stdout(options.format == "json" ? as_json(report) : as_csv(report));
}

/// For prove, whatever ends without the gap that was asked for has reached a limit, if only that of rounding.
int exit_code(Status status, double relative_gap, const Options& options, bool proves) {
  constexpr int limit = 4, interrupted = 130;
  constexpr double rounding = 1e-10;
  switch (status) {
    case Status::Optimal:
      return 0;
    case Status::SwapOptimal:
    case Status::CoordinateOptimal:
    case Status::Stationary:
      return proves && !(relative_gap <= std::max(options.settings.gap, rounding)) ? limit : 0;
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

io::Model to_model(const Result& result, const Options& options, const io::Table& table,
                   std::vector<std::string> classes, const io::Fingerprint& data) {
  io::Model model{.version = version,
                  .settings = options.settings,
                  .read = options.read,
                  .classes = std::move(classes),
                  .data = data,
                  .names = table.names,
                  .intercept = result.intercept,
                  .support = result.support,
                  .coefficients = result.coefficients,
                  .status = result.status,
                  .objective = result.objective,
                  .lower_bound = result.lower_bound,
                  .gap = result.gap,
                  .relative_gap = result.relative_gap};
  model.settings.lambda2 = result.lambda2;
  return model;
}

ProgressStyle chosen_style(const Options& options, bool proves) {
  if (options.quiet || options.progress == "never") return ProgressStyle::None;
  if (options.progress == "json") return ProgressStyle::Json;
  if (::isatty(STDERR_FILENO) == 0) return ProgressStyle::None;
  return proves ? ProgressStyle::Table : ProgressStyle::Line;
}

/// Prints several models of one data set.
void print_path(PathReport path, std::span<const Result> results, const io::Table& table, double read_seconds,
                const Options& options) {
  for (const Result& result : results) {
    auto notes = table.notes;
    notes.insert(notes.end(), result.notes.begin(), result.notes.end());
    if (options.quiet) notes.clear();
    path.models.push_back({result, table, std::move(notes), read_seconds, options.settings.gap});
  }
  if (options.format != "text")
    for (const std::string& note : path.models.back().notes) fmt::print(stderr, "note: {}\n", note);
  write_stdout(options.format == "json"  ? path_as_json(path)
               : options.format == "csv" ? path_as_csv(path)
                                         : path_as_text(path, wants_color(options.color)));
}

/// All sizes at once; the exit code is that of the model that fared worst.
int print_every_k(const Dataset& data, const io::Table& table, double read_seconds, const Options& options) {
  const auto solve_watched = [&] {
    Watcher watcher(chosen_style(options, true));
    return every_k(data, options.settings, &watcher);
  };
  const auto results = solve_watched();
  print_path({"the best model of each size", {}}, results, table, read_seconds, options);
  int code = 0;
  for (const Result& result : results)
    code = std::max(code, exit_code(result.status, result.relative_gap, options, true));
  return code;
}

int print_pool(const Dataset& data, const io::Table& table, double read_seconds, const Options& options) {
  const auto solve_watched = [&] {
    Watcher watcher(chosen_style(options, true));
    return pool(data, options.settings, *options.pool, &watcher);
  };
  const Pool found = solve_watched();
  const std::string title = fmt::format("models within {:g} % of the best", 100 * options.pool->margin);
  print_path({title, {}, &found}, found.models, table, read_seconds, options);
  return exit_code(found.status, 0, options, true);
}

}  // namespace

int run_solver(std::string_view command, std::string_view summary, std::vector<std::string> arguments) {
  const bool proves = command == "prove";
  auto options = parse_options(command, summary, std::move(arguments));
  if (!options) return 0;
  Settings& settings = options->settings;
  check_form(*options);

  const auto start = std::chrono::steady_clock::now();
  options->read.words = is_classifier(settings.loss);
  io::Table table = io::read_table(options->data, options->read);
  std::vector<std::string> classes;
  if (options->read.words) classes = map_labels(table, settings.loss);
  for (const std::string& name : options->always) settings.always.push_back(find_feature(table, name));
  const std::chrono::duration<double> read_time = std::chrono::steady_clock::now() - start;

  const Dataset data{table.matrix(), table.y, table.weights, table.offset};
  if (options->every_k) return print_every_k(data, table, read_time.count(), *options);
  if (options->pool) return print_pool(data, table, read_time.count(), *options);
  std::optional<io::AtomicFile> model_file;
  std::optional<io::ProofWriter> proof;
  std::optional<TraceFile> trace;
  io::Fingerprint mark;
  if (!options->model.empty() || !options->proof.empty()) mark = io::fingerprint(data);
  if (!options->model.empty()) model_file.emplace(options->model);
  if (!options->proof.empty()) proof.emplace(options->proof, mark);
  if (!options->trace.empty()) trace.emplace(options->trace);
  const auto solve_watched = [&] {
    Watcher watcher(chosen_style(*options, proves), trace ? &*trace : nullptr);
    return proves ? prove(data, settings, &watcher, proof ? &*proof : nullptr) : fit(data, settings, &watcher);
  };
  const Result result = solve_watched();
  if (trace) trace->finish();
  if (proof) proof->finish(result.objective, result.lower_bound);
  if (model_file) {
    model_file->write(io::to_text(to_model(result, *options, table, std::move(classes), mark)));
    model_file->commit();
  }
  auto notes = table.notes;
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  print({result, table, std::move(notes), read_time.count(), settings.gap}, *options);
  return exit_code(result.status, result.relative_gap, *options, proves);
}

}  // namespace ellzero::cli
