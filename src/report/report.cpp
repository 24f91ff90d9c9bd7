// Words and numbers of a report, and how they get into its page.
#include "report/report.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "ellzero/settings_table.hpp"
#include "io/model/evidence_json.hpp"
#include "io/model/settings_json.hpp"
#include "io/proof/proof_text.hpp"
#include "report/columns.hpp"
#include "report/fit.hpp"
#include "report/page.hpp"
#include "report/path.hpp"

namespace ellzero::report {
namespace {

constexpr std::size_t most_others = 20;  // features that are not in the model

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "unknown"; }

/// Name, value and a word more.
Json cards(const Model& model) {
  Json list = Json::array();
  const auto add = [&](std::string_view name, const std::string& value, const std::string& more) {
    list.push_back(Json::array({name, value, more}));
  };
  add("features", fmt::format("{} of {}", model.support.size(), model.data.columns), "in the model");
  add("objective", number(model.objective), "smaller is better");
  add("lower bound", number(model.lower_bound), "no solution is below");
  add("gap", io::proof::percent(model.relative_gap),
      fmt::format("{} counts as closed", io::proof::percent(model.settings.gap)));
  if (!model.selection) return list;
  const Selection& selection = *model.selection;
  const auto chosen = static_cast<std::size_t>(selection.chosen);
  const std::string error =
      selection.standard_error.empty() ? "" : fmt::format(" ± {:.3g}", selection.standard_error[chosen]);
  const bool folded = selection.by == "cv";
  add(folded ? "cross-validation" : selection.by, fmt::format("{:.4g}{}", selection.score[chosen], error),
      folded ? fmt::format("{}, ± one standard error", selection.metric) : "the criterion");
  return list;
}

std::string selection_text(const Model& model) {
  const Selection& selection = *model.selection;
  const std::string rule = selection.rule == "1se" ? "the sparsest model within one standard error of the best"
                                                   : "the model of the best score";
  return fmt::format("Chosen out of {} models by {}: {}.", selection.path.models.size(),
                     selection.by == "cv" ? fmt::format("cross-validation ({})", selection.metric) : selection.by,
                     rule);
}

/// What is proved, and how the model was chosen.
Json sentences(const Model& model) {
  std::string proof = io::proof::proof_text(model.status, model.gap, model.relative_gap, model.settings.gap);
  proof[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(proof[0])));
  Json list = Json::array({proof + "."});
  if (model.verdicts)
    list.push_back(fmt::format("{} features are proved to be in every optimal solution, {} in none; {} are undecided.",
                               model.verdicts->always.size(), model.verdicts->never, model.verdicts->undecided.size()));
  if (model.selection) list.push_back(selection_text(model));
  return list;
}

/// Name and value of the data's traits and of every setting.
Json settings_rows(const ReportInput& input) {
  const Model& model = input.model;
  Json rows = Json::array();
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) rows.push_back(Json::array({name, value}));
  };
  add("data", input.data_name);
  add("samples", fmt::format("{}", model.data.rows));
  add("features", fmt::format("{}", model.data.columns));
  add("hash of the data", fmt::format("{:016x}", model.data.hash));
  add("target", model.read.target);
  add("weights", model.read.weights);
  add("offset", model.read.offset);
  if (model.classes.size() == 2) add("classes", fmt::format("{}, {}", model.classes[0], model.classes[1]));
  const Json settings = io::model::to_json(model.settings);
  for (const Setting& setting : settings_table()) {
    const Json& value = settings[std::string(setting.name)];
    const bool unset = value.is_null() || (value.is_array() && value.empty());
    const bool is_long = value.is_array() && value.size() > 20;
    add(setting.name, unset               ? default_text(setting)
                      : is_long           ? fmt::format("{} values", value.size())
                      : value.is_string() ? value.get<std::string>()
                                          : value.dump());
  }
  return rows;
}

Json summary(const ReportInput& input) {
  const Model& model = input.model;
  const std::string target = model.read.target.empty() ? "" : fmt::format("{} by ", model.read.target);
  return {
      {"subtitle", fmt::format("{}{} loss, {} samples of {} features: {}", target, model.settings.loss, model.data.rows,
                               model.data.columns, input.data_name)},
      {"footer", fmt::format("Written by ellzero {}. This file needs no network and no other file.", model.version)},
      {"optimal", model.status == Status::Optimal},
      {"cards", cards(model)},
      {"proof", sentences(model)},
      {"settings", settings_rows(input)}};
}

/// The features of the model, then others that may be in an optimum.
std::vector<Index> features_of_interest(const Model& model) {
  std::vector<Index> features = model.support, possible;
  if (!model.verdicts) return features;
  const auto& [always, undecided, never] = *model.verdicts;
  std::merge(always.begin(), always.end(), undecided.begin(), undecided.end(), std::back_inserter(possible));
  std::set_difference(possible.begin(), possible.end(), model.support.begin(), model.support.end(),
                      std::back_inserter(features));
  return features;
}

void add_features(Json& json, const Model& model, Columns& columns) {
  auto features = features_of_interest(model);
  const std::size_t shown = std::min(features.size(), model.support.size() + most_others);
  if (shown < features.size())
    json["features_text"] =
        fmt::format("{} more features that no proof rules out are not listed.", features.size() - shown);
  features.resize(shown);
  json["features"] = Json::array();
  for (std::size_t f = 0; f < features.size(); ++f) {
    const Index j = features[f];
    const double value = f < model.coefficients.size() ? model.coefficients[f] : 0;
    const Verdict verdict = model.verdicts ? model.verdicts->of(j) : Verdict::Undecided;
    json["features"].push_back(
        {{"name", model.name(j)},
         {"value", value},
         {"standardised", value * columns.deviation(j)},
         {"verdict", verdict == Verdict::Undecided ? "undecided" : io::proof::verdict_text(verdict)}});
  }
}

Json report_json(const ReportInput& input) {
  const Model& model = input.model;
  const Dataset data{input.table.matrix(), input.table.y, input.table.weights, input.table.offset};
  Columns columns(data);
  Json json = {
      {"summary", summary(input)},
      {"allowed_gap", model.settings.gap},
      {"course", io::model::to_json(model.course)},
      {"fit", fit_json(model, data)},
      {"path", nullptr},
      {"path_absent", "The model was fitted alone and remembers no path; `ellzero report --path` computes one."}};
  add_features(json, model, columns);
  if (const Selection* const known = model.selection ? &*model.selection : input.path)
    json["path"] = path_json(model, *known, columns);
  return json;
}

/// JSON that may stand inside a <script>: "<" occurs in its strings only and is written as an escape there.
std::string for_script(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  for (const char c : text) {
    if (c == '<') safe += "\\u003c";
    else safe += c;
  }
  return safe;
}

/// Replaces the one place of `mark`; the rest of the text is not searched again.
std::string put(std::string_view page, std::string_view mark, std::string_view text) {
  const auto place = page.find(mark);
  return fmt::format("{}{}{}", page.substr(0, place), text, page.substr(place + mark.size()));
}

}  // namespace

std::string report_html(const ReportInput& input) {
  std::string page = put(report_page, "@style@", report_style);
  page = put(page, "@charts@", report_charts);
  page = put(page, "@page@", report_script);
  return put(page, "@data@", for_script(report_json(input)));
}

}  // namespace ellzero::report
