// Writing and reading the schema of model.hpp.
#include "io/model/model.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ellzero/settings_table.hpp"
#include "io/bytes/file_bytes.hpp"
#include "io/model/evidence_json.hpp"
#include "io/model/json_place.hpp"
#include "io/model/settings_json.hpp"
#include "io/refusal.hpp"
#include "io/table/heading.hpp"

namespace ellzero::io::model {
namespace {

constexpr std::string_view schema = "ellzero.model/";
constexpr std::string_view major = "1";
constexpr double infinity = std::numeric_limits<double>::infinity();

void check_schema(const JsonPlace& place) {
  const std::string text = place.text();
  const std::string_view found = std::string_view(text).substr(std::min(text.size(), schema.size()));
  if (!text.starts_with(schema)) place.refuse(fmt::format("{}{}", schema, major));
  if (found.substr(0, found.find('.')) != major)
    place.refuse(fmt::format("{}{}; a newer ellzero may know it", schema, major));
}

std::vector<std::string> texts_of(const JsonPlace& place) {
  std::vector<std::string> result;
  for (const JsonPlace& element : place.elements()) result.push_back(element.text());
  return result;
}

Status status_of(const JsonPlace& place) {
  const std::string text = place.text();
  for (int code = 0; code <= static_cast<int>(Status::Interrupted); ++code)
    if (text == to_string(static_cast<Status>(code))) return static_cast<Status>(code);
  place.refuse("a status, like optimal or time_limit");
}

std::string choice_of(const JsonPlace& place, const std::vector<std::string>& choices) {
  std::string text = place.text();
  if (std::find(choices.begin(), choices.end(), text) == choices.end())
    place.refuse(fmt::format("one of {}", fmt::join(choices, ", ")));
  return text;
}

/// Keys that are there only where they say something.
void read_encoding(const JsonPlace& data, Model& model) {
  const auto has = [&](const char* key) { return data.json().contains(key); };
  if (has("missing")) model.read.missing = choice_of(data["missing"], {"refuse", "drop", "mean"});
  if (has("categorical")) model.read.categorical = choice_of(data["categorical"], {"refuse", "onehot"});
  if (has("header")) model.read.header = choice_of(data["header"], {"yes", "no"});
  if (has("folds")) model.read.folds = data["folds"].text();
  if (has("levels"))
    for (const JsonPlace& entry : data["levels"].elements()) {
      table::Category category{entry["column"].text(), texts_of(entry["levels"])};
      if (!std::is_sorted(category.levels.begin(), category.levels.end())) entry["levels"].refuse("sorted words");
      model.encoding.categories.push_back(std::move(category));
    }
  if (!has("means")) return;
  for (const JsonPlace& mean : data["means"].elements()) model.encoding.means.push_back(mean.number());
  if (static_cast<Index>(model.encoding.means.size()) != model.data.columns)
    data["means"].refuse(fmt::format("{} numbers, one for each column", model.data.columns));
}

Json to_json(const table::Encoding& encoding, const table::ReadOptions& read) {
  Json json = Json::object();
  if (!read.missing.empty()) json["missing"] = read.missing;
  if (!read.categorical.empty()) json["categorical"] = read.categorical;
  if (!read.header.empty()) json["header"] = read.header;
  if (!read.folds.empty()) json["folds"] = read.folds;
  for (const table::Category& category : encoding.categories)
    json["levels"].push_back({{"column", category.column}, {"levels", category.levels}});
  if (!encoding.means.empty()) json["means"] = encoding.means;
  return json;
}

void read_data(const JsonPlace& data, Model& model) {
  model.read.target = data["target"].text();
  model.read.weights = data["weights"].text();
  model.read.offset = data["offset"].text();
  model.read.format = data["format"].text();
  model.data.rows = data["rows"].whole();
  model.data.columns = data["columns"].whole();
  const std::string hash = data["hash"].text();
  const char* const last = hash.data() + hash.size();
  const auto [end, error] = std::from_chars(hash.data(), last, model.data.hash, 16);
  if (error != std::errc() || end != last || hash.size() != 16) data["hash"].refuse("16 hexadecimal digits");
  model.names = texts_of(data["names"]);
  if (!model.names.empty() && static_cast<Index>(model.names.size()) != model.data.columns)
    data["names"].refuse(fmt::format("{} names, one for each column, or none", model.data.columns));
  read_encoding(data, model);
}

/// Ascending features and their values.
void read_coefficients(const JsonPlace& list, Index columns, std::vector<Index>& support,
                       std::vector<double>& coefficients) {
  for (const JsonPlace& entry : list.elements()) {
    const Index j = entry["index"].whole();
    if (j >= columns || (!support.empty() && j <= support.back()))
      entry["index"].refuse(fmt::format("ascending features from 0 to {}", columns - 1));
    support.push_back(j);
    coefficients.push_back(entry["value"].number());
  }
}

/// A share of a refit, and the solution that it is mixed into: both are there, or none.
void read_relaxed(const JsonPlace& root, Model& model) {
  model.relax = root["relax"].number();
  if (!(model.relax > 0 && model.relax <= 1)) root["relax"].refuse("a number above 0, up to 1");
  const JsonPlace place = root["penalised"];
  Penalised penalised{place["intercept"].number(), {}};
  for (const JsonPlace& value : place["coefficients"].elements()) penalised.coefficients.push_back(value.number());
  if (penalised.coefficients.size() != model.support.size())
    place["coefficients"].refuse(fmt::format("{} numbers, one for each of coefficients", model.support.size()));
  model.penalised = std::move(penalised);
}

void check_names(const JsonPlace& list, const Model& model) {
  std::size_t c = 0;
  for (const JsonPlace& entry : list.elements())
    if (const std::string name = model.name(model.support[c++]); entry["feature"].text() != name)
      entry["feature"].refuse(shown(name));
}

/// One of the words that the setting may be.
std::string word_of(const JsonPlace& place, std::string_view name) {
  std::string text = place.text();
  for (const Setting& setting : settings_table())
    if (setting.name == name &&
        std::find(setting.choices.begin(), setting.choices.end(), text) == setting.choices.end())
      place.refuse(range_text(setting));
  return text;
}

Result result_of(const JsonPlace& place, const Model& model) {
  Result result;
  result.status = status_of(place["status"]);
  result.objective = place["objective"].number();
  result.lower_bound = place["lower_bound"].number_or(-infinity);
  result.gap = result.objective - result.lower_bound;
  result.relative_gap = place["relative_gap"].number_or(infinity);
  result.intercept = place["intercept"].number();
  read_coefficients(place["coefficients"], model.data.columns, result.support, result.coefficients);
  if (!place["k"].is_null()) result.k = place["k"].whole();
  if (!place["lambda0"].is_null()) result.lambda0 = place["lambda0"].number();
  result.lambda1 = place["lambda1"].number();
  result.lambda2 = place["lambda2"].number();
  result.loss = model.settings.loss;
  result.p = model.data.columns;
  return result;
}

Selection selection_of(const JsonPlace& place, const Model& model) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Selection selection;
  selection.by = word_of(place["by"], "select");
  selection.metric = place["metric"].text();
  if (selection.by == "cv") word_of(place["metric"], "metric");
  else if (selection.metric != selection.by) place["metric"].refuse(selection.by);
  selection.rule = word_of(place["rule"], "rule");
  selection.path.status = Status::Optimal;
  for (const JsonPlace& entry : place["models"].elements()) {
    selection.path.models.push_back(result_of(entry, model));
    selection.path.status = std::max(selection.path.status, selection.path.models.back().status);
    selection.score.push_back(entry["score"].number_or(unknown));
    selection.relax.push_back(entry.contains("relax") ? entry["relax"].number() : 0);
    const double error = entry["standard_error"].number_or(unknown);
    if (selection.by == "cv") selection.standard_error.push_back(error);
  }
  const auto model_of = [&](const JsonPlace& index) {
    const auto count = static_cast<Index>(selection.path.models.size());
    if (index.whole() >= count) index.refuse(fmt::format("a model from 0 to {}", count - 1));
    return index.whole();
  };
  selection.best = model_of(place["best"]);
  selection.chosen = model_of(place["chosen"]);
  if (place.contains("repeats")) selection.repeats = place["repeats"].whole();
  if (place.contains("folds")) selection.fold_count = place["folds"].whole();
  if (place.contains("least")) selection.least = place["least"].number_or(unknown);
  if (place.contains("proved")) selection.proved = place["proved"].truth();
  selection.one_error = place.contains("one_error") ? model_of(place["one_error"]) : selection.best;
  selection.as_good = place.contains("as_good") ? model_of(place["as_good"]) : selection.best;
  return selection;
}

/// What settings must say for a question to be one: the price or the budget, and features that are there.
void check_question(const JsonPlace& place, const Model& model) {
  const Settings& settings = model.settings;
  const Index p = model.data.columns;
  for (const Index j : settings.always)
    if (j >= p) place["always"].refuse(fmt::format("features from 0 to {}", p - 1));
  const auto always = static_cast<Index>(std::set<Index>(settings.always.begin(), settings.always.end()).size());
  if (!settings.lambda2) place["lambda2"].refuse("a number");
  if (settings.lambda0.has_value() == settings.k.has_value()) place["k"].refuse("a number, or one of lambda0");
  if (settings.k && (*settings.k < always || *settings.k > p))
    place["k"].refuse(fmt::format("{} to {}, the number of always-in features to the number of columns", always, p));
  for (const auto& [name, bounds] : {std::pair("lower", &settings.lower), std::pair("upper", &settings.upper)})
    if (bounds->size() > 1 && static_cast<Index>(bounds->size()) != p)
      place[name].refuse(fmt::format("1 or {} numbers", p));
}

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const Selection& selection) {
  Json models = Json::array();
  for (std::size_t m = 0; m < selection.path.models.size(); ++m) {
    const Result& result = selection.path.models[m];
    Json coefficients = Json::array();
    for (std::size_t c = 0; c < result.support.size(); ++c)
      coefficients.push_back({{"index", result.support[c]}, {"value", result.coefficients[c]}});
    // Numbers that are not finite become null when they are written.
    models.push_back(
        {{"lambda0", value_or_null(result.lambda0)},
         {"lambda1", result.lambda1},
         {"lambda2", result.lambda2},
         {"k", value_or_null(result.k)},
         {"objective", result.objective},
         {"lower_bound", result.lower_bound},
         {"relative_gap", result.relative_gap},
         {"status", to_string(result.status)},
         {"intercept", result.intercept},
         {"coefficients", coefficients},
         {"relax", selection.relax.empty() ? 0 : selection.relax[m]},
         {"score", selection.score[m]},
         {"standard_error", selection.standard_error.empty() ? Json() : Json(selection.standard_error[m])}});
  }
  return {{"by", selection.by},         {"metric", selection.metric},       {"rule", selection.rule},
          {"best", selection.best},     {"one_error", selection.one_error}, {"as_good", selection.as_good},
          {"chosen", selection.chosen}, {"repeats", selection.repeats},     {"folds", selection.fold_count},
          {"least", selection.least},   {"proved", selection.proved},       {"models", models}};
}

}  // namespace

std::string Model::name(Index j) const { return names.empty() ? fmt::format("x{}", j) : names[j]; }

std::string to_text(const Model& model) {
  Json coefficients = Json::array();
  for (std::size_t c = 0; c < model.support.size(); ++c)
    coefficients.push_back(
        {{"feature", model.name(model.support[c])}, {"index", model.support[c]}, {"value", model.coefficients[c]}});
  Json json = {{"schema", fmt::format("{}{}", schema, major)},
               {"version", model.version},
               {"settings", to_json(model.settings)},
               {"data",
                {{"target", model.read.target},
                 {"weights", model.read.weights},
                 {"offset", model.read.offset},
                 {"format", model.read.format},
                 {"rows", model.data.rows},
                 {"columns", model.data.columns},
                 {"hash", fmt::format("{:016x}", model.data.hash)},
                 {"names", model.names}}},
               {"classes", model.classes},
               {"intercept", model.intercept},
               {"coefficients", coefficients},
               {"certificate",
                {{"status", to_string(model.status)},
                 {"objective", model.objective},
                 {"lower_bound", model.lower_bound},
                 {"gap", model.gap},
                 {"relative_gap", model.relative_gap}}}};
  json["data"].update(to_json(model.encoding, model.read));
  if (const auto& penalised = model.penalised) {
    json["relax"] = model.relax;
    json["penalised"] = {{"intercept", penalised->intercept}, {"coefficients", penalised->coefficients}};
  }
  if (model.selection) json["selection"] = to_json(*model.selection);
  if (model.verdicts) json["verdicts"] = to_json(*model.verdicts);
  if (!model.course.empty()) json["course"] = to_json(model.course);
  // The name of a file may hold any bytes; those that are no UTF-8 are replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Model read_model(const std::filesystem::path& path) {
  constexpr std::size_t deepest = 8;
  bytes::InputGuard guard(bytes::FileBytes::name_of(path), table::heading_of(""));
  const bytes::FileBytes file(path, &guard);
  const Json json = parse_json(file.name(), file.text(), deepest);
  const JsonPlace root(file.name(), json);
  check_schema(root["schema"]);
  Model model;
  model.version = root["version"].text();
  model.settings = settings_from(root["settings"]);
  read_data(root["data"], model);
  check_question(root["settings"], model);
  model.classes = texts_of(root["classes"]);
  if (std::any_of(model.classes.begin(), model.classes.end(), has_control))
    root["classes"].refuse("words without control characters");
  model.intercept = root["intercept"].number();
  read_coefficients(root["coefficients"], model.data.columns, model.support, model.coefficients);
  check_names(root["coefficients"], model);
  if (json.contains("relax") || json.contains("penalised")) read_relaxed(root, model);
  const JsonPlace certificate = root["certificate"];
  model.status = status_of(certificate["status"]);
  model.objective = certificate["objective"].number();
  model.lower_bound = certificate["lower_bound"].number_or(-infinity);
  model.gap = certificate["gap"].number_or(infinity);
  model.relative_gap = certificate["relative_gap"].number_or(infinity);
  if (json.contains("selection")) model.selection = selection_of(root["selection"], model);
  if (json.contains("verdicts")) model.verdicts = verdicts_of(root["verdicts"], model.data.columns);
  if (json.contains("course")) model.course = course_of(root["course"]);
  return model;
}

}  // namespace ellzero::io::model
