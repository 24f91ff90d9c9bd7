// `ellzero verify`: checks a model file against its data, and its proof record by record.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/file_checks.hpp"
#include "cli/flags.hpp"
#include "cli/model_data.hpp"
#include "cli/print.hpp"
#include "ellzero/ellzero.hpp"
#include "io/model/fingerprint.hpp"
#include "io/model/model.hpp"
#include "io/proof/proof_file.hpp"
#include "io/proof/proof_text.hpp"
#include "io/refusal.hpp"

namespace ellzero::cli {
namespace {

struct VerifyOptions {
  std::string model, data, proof;
  io::table::ReadOptions read;
  std::string format = "text";
};

struct Verified {
  double objective = 0;
  double lower_bound = 0;  ///< by the proof, by one that was searched for here, or by the model's own coefficients
  std::optional<Index> nodes, points;
  bool names = true;                                ///< both the data and the model have some, or neither
  Index verdicts_proved = 0, verdicts_claimed = 0;  ///< of features that are in every optimum, or in none
  double seconds = 0;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::Numerical, fmt::format(text, std::forward<Args>(args)...));
}

void check_verify_files(const VerifyOptions& options, const io::table::ReadOptions& read) {
  auto inputs = data_files("DATA", options.data, read);
  inputs.push_back({"MODEL", options.model});
  inputs.push_back({"--proof", options.proof});
  check_files(inputs, {});
}

std::optional<VerifyOptions> parse_verify_options(std::vector<std::string> arguments) {
  VerifyOptions options;
  CLI::App app("Check a model, and its proof, from scratch.", "ellzero verify");
  add_model(app, options.model);
  app.add_option("DATA", options.data, "the data it was fitted to")->type_name(file_type);
  app.add_option("--proof", options.proof,
                 "what prove wrote with --proof (default: the bound is proved anew, in 10 s or as far as that goes)")
      ->type_name(file_type);
  add_data_flags(app, options.read);
  add_word(app, "format", options.format, {"text", "json"}, "what to print (default text)");
  if (!parse(app, std::move(arguments), "a model and a data file")) return std::nullopt;
  require_argument("MODEL", options.model, "a file that -o has written");
  require_argument("DATA", options.data, "the data of the model");
  check_verify_files(options, options.read);
  return options;
}

/// What the certificate says of itself must fit together.
void check_certificate(const io::model::Model& model) {
  if (!std::isfinite(model.lower_bound)) {  // none is claimed, so nothing may rest on one
    if (model.status == Status::Optimal) fail("certificate.status: value is optimal; expected another without a bound");
    if (std::isfinite(model.gap) || std::isfinite(model.relative_gap))
      fail("certificate.gap: values are {} and {}; expected none without a bound", model.gap, model.relative_gap);
    return;
  }
  const double allowed = claim_tolerance * (std::abs(model.objective) + std::abs(model.lower_bound));
  const double gap = model.objective - model.lower_bound;
  if (!std::isfinite(allowed) || !(std::abs(model.gap - gap) <= allowed))
    fail("certificate.gap: value is {}; expected objective - lower_bound, {}", model.gap, gap);
  if (!(std::abs(model.relative_gap * std::abs(model.objective) - gap) <= allowed))
    fail("certificate.relative_gap: value is {}; expected gap / objective, {}", model.relative_gap,
         gap / std::abs(model.objective));
  // A gap below rounding cannot be told from none.
  if (model.status == Status::Optimal && !(model.relative_gap <= std::max(model.settings.gap, claim_tolerance)))
    fail("certificate.status: value is optimal; expected that of a relative gap of {} where {} was asked for",
         model.relative_gap, model.settings.gap);
}

/// A verdict that the model's own coefficients speak against is wrong; what the records prove is counted.
void check_verdicts(const io::model::Model& model, const ProofCheck& check, Verified& verified) {
  if (!model.verdicts) return;
  std::size_t next = 0;  // in the support
  for (Index j = 0; j < model.data.columns; ++j) {
    const bool listed = next < model.support.size() && model.support[next] == j;
    const bool used = listed && model.solution()[next] != 0;
    next += listed ? 1 : 0;
    const Verdict claimed = model.verdicts->of(j);
    if (claimed == Verdict::Undecided) continue;
    const bool always_in = std::count(model.settings.always.begin(), model.settings.always.end(), j) > 0;
    if (claimed == Verdict::Never ? used : !used && !always_in)
      fail("verdicts: feature {} is said to be {}; the coefficients say otherwise", j,
           io::proof::verdict_text(claimed));
    ++verified.verdicts_claimed;
    verified.verdicts_proved += check.verdict(j, verified.objective) == claimed ? 1 : 0;
  }
}

bool is_reached(const Verified& verified, const io::model::Model& model) {
  return verified.lower_bound >= model.lower_bound - claim_tolerance * std::abs(model.lower_bound);
}

/// What the records prove, unless it is more than can be true: then something is wrong with the checker itself.
void take(const ProofCheck& check, Verified& verified) {
  verified.lower_bound = check.lower_bound();
  if (!(verified.lower_bound <= verified.objective * (1 + claim_tolerance)))
    fail("lower_bound: {} is proved; the coefficients have the objective {}", verified.lower_bound, verified.objective);
  verified.nodes = check.nodes();
  verified.points = check.points();
}

/// Without a record the claimed bound is proved once more, for a while: the engine proposes points, the check decides
/// what they prove. Better coefficients than the bound allows would prove it wrong.
ProofCheck prove_anew(const Dataset& data, const io::model::Model& model) {
  Settings settings = model.settings;
  settings.method = "engine";
  settings.time_limit = proof_budget;
  settings.gap = std::clamp(model.relative_gap, 0.0, 1.0);
  settings.node_limit.reset();
  settings.threads = Settings().threads;  // this machine's, whatever the model was made with
  settings.memory_limit = Settings().memory_limit;
  ProofCheck check(data, settings);
  const Result found = prove(data, settings, nullptr, &check);
  if (found.objective < model.lower_bound - claim_tolerance * std::abs(model.lower_bound)) {
    const Claim other{found.objective, check.lower_bound(), found.intercept, found.support, found.coefficients};
    fail("certificate.lower_bound: value is {}; expected at most {}, the objective of other coefficients",
         model.lower_bound, verify_objective(data, settings, other));
  }
  return check;
}

/// The claimed bound without a record: by the coefficients themselves if that will do, else by a new proof.
void check_without_record(const Dataset& data, const io::model::Model& model, const Claim& claim, Verified& verified) {
  ProofCheck check(data, model.settings);
  check.on_claim(claim);
  verified.lower_bound = check.lower_bound();
  if (!is_reached(verified, model)) {
    check = prove_anew(data, model);
    if (check.lower_bound() > verified.lower_bound) take(check, verified);
  }
  check_verdicts(model, check, verified);
}

void check_record(const std::string& path, const Dataset& data, const io::model::Fingerprint& mark,
                  const io::model::Model& model, const Claim& claim, Verified& verified) {
  ProofCheck check(data, model.settings);
  io::proof::check_proof(path, mark, claim, check);
  take(check, verified);
  check_verdicts(model, check, verified);
}

Verified verify_all(const VerifyOptions& options, const io::model::Model& model) {
  const ModelData read = read_model_data(options.data, options.read, model);
  const Dataset data = read.dataset();
  const auto mark = io::model::fingerprint(data);
  check_model_data(model, read, mark);
  check_certificate(model);
  const double intercept = model.penalised ? model.penalised->intercept : model.intercept;
  const Claim claim{model.objective, model.lower_bound, intercept, model.support, model.solution()};
  Verified verified;
  verified.names = read.table.names.empty() == model.names.empty();
  verified.objective = verify_objective(data, model.settings, claim);
  if (options.proof.empty()) check_without_record(data, model, claim, verified);
  else check_record(options.proof, data, mark, model, claim, verified);
  read.table.check_unchanged();
  return verified;
}

/// How the model says that DATA is to be read: part of the question.
std::string read_as(const io::table::ReadOptions& read) {
  std::string text;
  const auto add = [&](const char* role, const std::string& said) {
    if (!said.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", role, io::printable(said));
  };
  add("target", read.target);
  add("weights", read.weights);
  add("offset", read.offset);
  add("folds", read.folds);
  add("header", read.header_said());
  add("missing", read.missing);
  add("categorical", read.categorical);
  return text;
}

/// What the model file says and nobody has looked at, besides verdicts.
std::vector<std::string> not_checked(const io::model::Model& model, bool names) {
  std::vector<std::string> list;
  if (!names) list.emplace_back("names of features");
  if (model.status != Status::Optimal) list.push_back(fmt::format("status {}", to_string(model.status)));
  if (model.penalised) list.emplace_back("coefficients that predict (relaxed, beside the solution that is checked)");
  if (model.selection) list.emplace_back("selection (path, scores, rule)");
  if (!model.course.empty()) list.emplace_back("course of the proof");
  list.emplace_back("version");
  return list;
}

std::string as_text(const Verified& verified, const io::model::Model& model, bool recorded) {
  std::string out = fmt::format("  objective    {} claimed, {} found: right\n", model.objective, verified.objective);
  const bool claimed = std::isfinite(model.lower_bound);
  const std::string way = verified.nodes ? fmt::format("proved {}by {} points at {} nodes", recorded ? "" : "anew ",
                                                       *verified.points, *verified.nodes)
                                         : "by the coefficients alone";
  out += fmt::format("  lower bound  {} claimed, {} {}: {}\n",
                     claimed ? fmt::format("{}", model.lower_bound) : std::string("none"), verified.lower_bound, way,
                     !claimed ? "nothing to check"
                     : is_reached(verified, model)
                         ? "right"
                         : fmt::format("not reached in {} s; --proof FILE checks the record", proof_budget));
  out += fmt::format("  data         {} rows, {} features, hash {:016x}{}: right\n", model.data.rows,
                     model.data.columns, model.data.hash,
                     model.classes.empty() ? "" : fmt::format(", classes {}", fmt::join(model.classes, " and ")));
  if (const std::string how = read_as(model.read); !how.empty()) out += fmt::format("  read with    {}\n", how);
  if (model.status == Status::Optimal)
    out += fmt::format("  status       optimal, {} asked for: {}\n", io::proof::percent(model.settings.gap),
                       is_reached(verified, model) ? "right" : "not checked");
  if (verified.verdicts_claimed > 0)
    out += fmt::format("  verdicts     {} of features: {} right, {} not checked\n", verified.verdicts_claimed,
                       verified.verdicts_proved, verified.verdicts_claimed - verified.verdicts_proved);
  out += fmt::format("  not checked  {}\n", fmt::join(not_checked(model, verified.names), ", "));
  return out;
}

/// A bound that is unknown becomes null.
std::string as_json(const Verified& verified, const io::model::Model& model) {
  const auto or_null = [](const auto& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  const nlohmann::ordered_json json = {
      {"schema", "ellzero.verification/1"},
      {"objective", verified.objective},
      {"claimed_objective", model.objective},
      {"lower_bound", verified.lower_bound},
      {"claimed_lower_bound", model.lower_bound},
      {"nodes", or_null(verified.nodes)},
      {"points", or_null(verified.points)},
      {"confirmed", is_reached(verified, model)},
      {"verdicts",
       {{"right", verified.verdicts_proved}, {"not_checked", verified.verdicts_claimed - verified.verdicts_proved}}},
      {"not_checked", not_checked(model, verified.names)},
      {"seconds", verified.seconds}};
  return json.dump(2) + "\n";
}

}  // namespace

int run_verify(std::vector<std::string> arguments) {
  const auto options = parse_verify_options(std::move(arguments));
  if (!options) return 0;
  const auto start = std::chrono::steady_clock::now();
  const io::model::Model model = io::model::read_model(options->model);
  check_verify_files(*options, read_as_fitted(options->read, model));  // the model may remember further files
  Verified verified = verify_all(*options, model);
  verified.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_stdout(options->format == "json" ? as_json(verified, model)
                                         : as_text(verified, model, !options->proof.empty()));
  return is_reached(verified, model) ? 0 : 4;
}

}  // namespace ellzero::cli
