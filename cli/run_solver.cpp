// The common course of fit and prove behind run_solver.hpp.
#include "cli/run_solver.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "cli/interrupts.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/several.hpp"
#include "cli/streams.hpp"
#include "cli/style.hpp"
#include "cli/trace_file.hpp"
#include "cli/watcher.hpp"
#include "ellzero/ellzero.hpp"
#include "io/bytes/atomic_file.hpp"
#include "io/model/fingerprint.hpp"
#include "io/model/model.hpp"
#include "io/proof/proof_file.hpp"
#include "io/proof/settle_proof.hpp"
#include "io/refusal.hpp"

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
  const bool selects = !settings.lambda0 && !settings.k;
  if (selects && (options.pool || settings.method != "engine"))
    throw Error(ErrorCode::Usage, fmt::format("lambda0, k: neither is set; expected --lambda0 NUMBER or --k INTEGER {}",
                                              options.pool ? "with --pool" : "with a published --method"));
  if (settings.lambda0 && settings.k)
    throw Error(ErrorCode::Usage, fmt::format("lambda0, k: values are {} and {}; expected only one of the two",
                                              *settings.lambda0, *settings.k));
}

void print(Report report, const Options& options) {
  if (options.quiet) report.notes.clear();
  if (options.format == "text") return write_stdout(as_text(report, wants_color(options)));
  say_notes(report.notes);
  write_stdout(options.format == "json" ? as_json(report) : as_csv(report));
}

io::model::Model to_model(const Result& result, const Options& options, const Input& input,
                          const io::model::Fingerprint& data, const io::model::Course& course) {
  io::model::Model model{.version = version,
                         .settings = options.settings,
                         .read = options.read,
                         .classes = input.classes,
                         .data = data,
                         .names = input.table.names,
                         .intercept = result.intercept,
                         .support = result.support,
                         .coefficients = result.coefficients,
                         .relax = result.relax,
                         .penalised = result.penalised,
                         .status = result.status,
                         .objective = result.objective,
                         .lower_bound = result.lower_bound,
                         .gap = result.gap,
                         .relative_gap = result.relative_gap,
                         .selection = {},
                         .course = course.moments()};
  model.settings = settings_of(result, options.settings);
  if (result.selection != nullptr) model.selection = *result.selection;
  if (!result.verdicts.empty()) model.verdicts.emplace(result.verdicts);
  model.encoding = input.table.encoding;
  return model;
}

/// The files that are written besides stdout; opened before anything is computed, so that a wrong name is noticed
/// early.
struct Files {
  Files(const Options& options, const Dataset& data) {
    if (!options.model.empty() || !options.proof.empty()) mark = io::model::fingerprint(data);
    if (!options.model.empty()) model.emplace(options.model);
    if (!options.proof.empty()) proof.emplace(options.proof, mark);
    if (!options.trace.empty()) trace.emplace(options.trace);
  }

  io::model::Fingerprint mark;
  std::optional<io::bytes::AtomicFile> model;
  std::optional<io::proof::ProofWriter> proof;
  std::optional<TraceFile> trace;
};

/// The one model that the user described, or the one that is chosen where nothing is said.
Result solve(const Dataset& data, const Options& options, bool proves, Files& files, io::model::Course& course) {
  const bool chooses = !options.settings.lambda0 && !options.settings.k;
  Watcher watcher(chosen_style(options, proves), files.trace ? &*files.trace : nullptr, options.settings.time_limit,
                  chooses);
  auto result = proves ? prove(data, options.settings, &watcher, files.proof ? &*files.proof : nullptr)
                       : fit(data, options.settings, &watcher);
  course = watcher.finish(result);
  return result;
}

/// 0 where only the default budget ended the proof of a model that was chosen, and nobody asked for a gap.
int exit_code_of(const Result& result, const Options& options, bool proves) {
  const bool chosen = result.selection != nullptr, asked = proves || (chosen && options.gap_given);
  const bool by_budget = chosen && result.status == Status::TimeLimit && !options.settings.time_limit && !proves;
  if (by_budget && !asked) return 0;
  return exit_code(result.status, result.relative_gap, options.settings.gap, asked);
}

}  // namespace

int run_solver(std::string_view command, std::string_view summary, std::vector<std::string> arguments) {
  const bool proves = command == "prove";
  auto options = parse_options(command, summary, std::move(arguments));
  if (!options) return 0;
  check_form(*options);
  const Input input = read_input(*options);
  if (options->every_k) return print_every_k(input, *options);
  if (options->pool) return print_pool(input, *options);

  const Dataset data = input.data();
  Files files(*options, data);
  std::optional<OrderlyStop> until_saved(std::in_place);
  io::model::Course course;
  Result result = solve(data, *options, proves, files, course);
  if (files.trace) files.trace->finish();
  const bool unproved = result.selection != nullptr && is_cut(result.selection->status);
  if (files.proof && !unproved) {
    files.proof->finish(result.objective, result.lower_bound);
    io::proof::settle_proof(options->proof, files.mark, data, settings_of(result, options->settings), result);
  }
  if (files.model) {
    files.model->write(io::model::to_text(to_model(result, *options, input, files.mark, course)));
    files.model->commit();
  }
  until_saved.reset();
  auto notes = input.table.notes;
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  if (files.proof && unproved) notes.emplace_back("proof: not written, as none was begun");
  print({.result = result,
         .table = input.table,
         .notes = std::move(notes),
         .read_seconds = input.read_seconds,
         .gap = options->settings.gap,
         .selection = result.selection.get()},
        *options);
  input.table.check_unchanged();
  return exit_code_of(result, *options, proves);
}

}  // namespace ellzero::cli
