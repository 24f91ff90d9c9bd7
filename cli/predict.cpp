// `ellzero predict`: what a model says about rows of data, one line each.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/file_checks.hpp"
#include "cli/flags.hpp"
#include "cli/labels.hpp"
#include "cli/model_data.hpp"
#include "cli/streams.hpp"
#include "ellzero/ellzero.hpp"
#include "io/bytes/atomic_file.hpp"
#include "io/model/model.hpp"
#include "io/table/data_file.hpp"

namespace ellzero::cli {
namespace {

struct PredictOptions {
  std::string model, data, output, rule;
  io::table::ReadOptions read;
  bool probability = false;
  bool quiet = false;
};

void check_predict_files(const PredictOptions& options, const io::table::ReadOptions& read) {
  auto inputs = data_files("DATA", options.data, read);
  inputs.push_back({"MODEL", options.model});
  check_files(inputs, {{"--output", options.output}});
}

std::optional<PredictOptions> parse_predict_options(std::vector<std::string> arguments) {
  PredictOptions options;
  CLI::App app("Predict the target of every row: a number, or the label of its class.", "ellzero predict");
  add_model(app, options.model);
  app.add_option("DATA", options.data, "rows to predict; columns are found by their names, others do not matter")
      ->type_name(file_type);
  app.add_flag("--probability", options.probability, "of the second class, in place of labels (logistic loss)");
  add_word(
      app, "rule", options.rule, {"auto", "min", "1se"},
      "by the model that another rule of cross-validation names; all are in MODEL (default: the one that was chosen)");
  app.add_option("-o,--output", options.output, "write to FILE in place of stdout")->type_name(file_type);
  add_data_flags(app, options.read);
  app.add_flag("-q,--quiet", options.quiet, "no notes");
  if (!parse(app, std::move(arguments), "a model and a data file")) return std::nullopt;
  require_argument("MODEL", options.model, "a file that -o has written");
  require_argument("DATA", options.data, "a data file, or - for stdin");
  check_predict_files(options, options.read);
  return options;
}

/// As many columns as the data of the model had, which knows them by their position alone. The target may be left out
/// where that is the last, as then no other column moves.
std::vector<std::size_t> widths_of(std::set<std::string> others, const io::table::ReadOptions& read) {
  const auto named = [](const std::string& said) { return said.starts_with('x') ? said : "x" + said; };
  for (const std::string& said : {read.weights, read.offset, read.folds})
    if (!said.empty()) others.insert(named(said));
  const std::size_t width = others.size() + 1;
  if (others.contains(fmt::format("x{}", width - 1))) return {width};
  return {width, width - 1};
}

/// The columns that the features of the model come from, and how their cells became numbers.
io::table::ReadOptions::Known needs_of(const io::model::Model& model) {
  io::table::ReadOptions::Known known;
  known.offset = model.read.offset;
  known.categories = model.encoding.categories;
  std::unordered_map<std::string, std::string> column_of;
  for (const io::table::Category& category : known.categories)
    for (const std::string& level : category.levels)
      column_of.emplace(io::table::level_name(category, level), category.column);
  const auto column = [&](Index j) {
    const auto word = column_of.find(model.name(j));
    return word == column_of.end() ? model.name(j) : word->second;
  };
  for (const Index j : model.support)
    if (std::find(known.columns.begin(), known.columns.end(), column(j)) == known.columns.end())
      known.columns.push_back(column(j));
  if (model.read.header == "no") {
    std::set<std::string> others;
    for (Index j = 0; j < model.data.columns; ++j) others.insert(column(j));
    known.widths = widths_of(std::move(others), model.read);
  }
  for (std::size_t j = 0; j < model.encoding.means.size(); ++j)
    known.means.emplace_back(model.name(static_cast<Index>(j)), model.encoding.means[j]);
  return known;
}

io::table::Table read_rows(const PredictOptions& options, const io::model::Model& model) {
  io::table::ReadOptions read = options.read;
  read.target.clear();  // whoever repeats the words of a fit may do so: none of them is needed
  read.weights.clear();
  read.folds.clear();
  read.known = needs_of(model);
  read.model_header = model.read.header;
  if (read.missing.empty() && model.read.missing == "mean") read.missing = "mean";
  if (read.missing == "mean" && model.encoding.means.empty())
    refuse_value("missing", "mean", "another one, as the model was not fitted so and has no means");
  return io::table::read_table(options.data, read);
}

struct Terms {
  std::vector<Index> columns;  ///< of the table
  std::vector<double> coefficients;
};

/// By name where the table has names, else by position.
Terms terms_in(const io::table::Table& table, const io::model::Model& model) {
  if (model.support.empty()) return {};  // any rows will do
  if (!table.names.empty()) {
    std::unordered_map<std::string, Index> column_of;
    for (std::size_t j = 0; j < table.names.size(); ++j) column_of.emplace(table.names[j], static_cast<Index>(j));
    Terms terms{{}, model.coefficients};
    for (const Index j : model.support) terms.columns.push_back(column_of.at(model.name(j)));
    return terms;
  }
  // Nothing but LIBSVM text comes with targets here, and only there does a file not say how many features there are.
  const bool open_ended = !table.y.empty();
  if (!open_ended && table.cols() != model.data.columns)
    throw Error(ErrorCode::Data, fmt::format("DATA: has {} features without names; the model was fitted to {}",
                                             table.cols(), model.data.columns));
  Terms terms;
  for (std::size_t c = 0; c < model.support.size(); ++c) {
    if (model.support[c] >= table.cols()) continue;  // 0 in every row
    terms.columns.push_back(model.support[c]);
    terms.coefficients.push_back(model.coefficients[c]);
  }
  return terms;
}

std::string as_lines(const std::vector<double>& predictor, const io::model::Model& model, bool probability) {
  std::string out;
  const bool labels = is_classifier(model.settings.loss);
  for (const double u : predictor) {
    if (probability) fmt::format_to(std::back_inserter(out), "{}\n", 1 / (1 + std::exp(-u)));
    else if (labels) fmt::format_to(std::back_inserter(out), "{}\n", model.classes[u > 0 ? 1 : 0]);
    else fmt::format_to(std::back_inserter(out), "{}\n", u);
  }
  return out;
}

void check_classes(const io::model::Model& model, const PredictOptions& options) {
  if (options.probability && model.settings.loss != "logistic")
    throw Error(ErrorCode::Usage, fmt::format("probability: the model is of {} loss; expected it only with logistic",
                                              model.settings.loss));
  if (is_classifier(model.settings.loss) && model.classes.size() != 2)
    throw Error(ErrorCode::Data,
                fmt::format("{}: classes: has {} labels; expected 2", options.model, model.classes.size()));
}

/// The model of another rule: its features and coefficients take the place of the chosen one's.
void take_rule(const std::string& rule, io::model::Model& model) {
  if (rule.empty()) return;
  const auto& selection = model.selection;
  if (!selection || selection->standard_error.empty())
    refuse_value("rule", rule, "none, as cross-validation did not choose this model, and it is the only one in MODEL");
  const Index place = rule == "min" ? selection->best : rule == "1se" ? selection->one_error : selection->as_good;
  const Result& other = selection->path.models[static_cast<std::size_t>(place)];
  model.support = other.support;
  model.coefficients = other.coefficients;
  model.intercept = other.intercept;
}

}  // namespace

int run_predict(std::vector<std::string> arguments) {
  const auto options = parse_predict_options(std::move(arguments));
  if (!options) return 0;
  io::model::Model model = io::model::read_model(options->model);
  take_rule(options->rule, model);
  // The model may remember further files, like that of its targets; with names of features these are names of columns.
  if (model.names.empty()) check_predict_files(*options, read_as_fitted(options->read, model));
  check_classes(model, *options);
  const io::table::Table table = read_rows(*options, model);
  const Terms terms = terms_in(table, model);
  const auto predictor = predict(table.matrix(), table.offset, model.intercept, terms.columns, terms.coefficients);
  const std::string lines = as_lines(predictor, model, options->probability);
  table.check_unchanged();
  if (!options->quiet) say_notes(table.notes);
  if (options->output.empty()) {
    write_stdout(lines);
    return 0;
  }
  io::bytes::AtomicFile file(options->output);
  file.write(lines);
  file.commit();
  return 0;
}

}  // namespace ellzero::cli
