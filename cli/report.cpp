// `ellzero report`: a model and its data as one HTML file with charts, proof and a table of features.
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/file_checks.hpp"
#include "cli/flags.hpp"
#include "cli/model_data.hpp"
#include "cli/streams.hpp"
#include "cli/watcher.hpp"
#include "ellzero/ellzero.hpp"
#include "io/bytes/atomic_file.hpp"
#include "report/report.hpp"

namespace ellzero::cli {
namespace {

struct ReportOptions {
  std::string model, data;
  std::string output = "report.html";
  bool path = false;
  bool quiet = false;
  io::table::ReadOptions read;
};

void check_report_files(const ReportOptions& options, const io::table::ReadOptions& read) {
  auto inputs = data_files("DATA", options.data, read);
  inputs.push_back({"MODEL", options.model});
  check_files(inputs, {{"--output", options.output}});
}

std::optional<ReportOptions> parse_report_options(std::vector<std::string> arguments) {
  ReportOptions options;
  CLI::App app("Write a model as one HTML file: charts, proof, residuals and a table of features.", "ellzero report");
  add_model(app, options.model);
  app.add_option("DATA", options.data, "the data it was fitted to")->type_name(file_type);
  app.add_option("-o,--output", options.output, "the file to write (default report.html)")->type_name(file_type);
  app.add_flag("--path", options.path, "compute a path where the model remembers none");
  app.add_flag("-q,--quiet", options.quiet, "print nothing");
  add_data_flags(app, options.read);
  if (!parse(app, std::move(arguments), "a model and a data file")) return std::nullopt;
  require_argument("MODEL", options.model, "a file that -o has written");
  require_argument("DATA", options.data, "the data of the model");
  check_report_files(options, options.read);
  return options;
}

/// The path around a model that was fitted alone: over budgets where it has one, over prices otherwise.
Selection path_around(const io::model::Model& model, const Dataset& data, bool quiet) {
  Settings settings = model.settings;
  settings.lambda0.reset();
  Watcher watcher(quiet || ::isatty(STDERR_FILENO) == 0 ? ProgressStyle::None : ProgressStyle::Line);
  Selection around;
  around.path = path(data, settings, &watcher);
  return around;
}

}  // namespace

int run_report(std::vector<std::string> arguments) {
  const auto options = parse_report_options(std::move(arguments));
  if (!options) return 0;
  const io::model::Model model = io::model::read_model(options->model);
  check_report_files(*options, read_as_fitted(options->read, model));  // the model may remember further files
  const ModelData read = read_model_data(options->data, options->read, model);
  const Dataset data = read.dataset();
  check_model_data(model, read, io::model::fingerprint(data));
  io::bytes::AtomicFile file(options->output);
  std::optional<Selection> path;
  if (options->path && !model.selection) path = path_around(model, data, options->quiet);
  const std::string name = std::filesystem::path(options->data).filename().string();
  file.write(report::report_html({model, read.table, name, path ? &*path : nullptr}));
  read.table.check_unchanged();
  file.commit();
  if (!options->quiet) write_stdout(fmt::format("{}: written; any browser opens it\n", options->output));
  return path && path->path.status == Status::Interrupted ? interrupted : 0;
}

}  // namespace ellzero::cli
