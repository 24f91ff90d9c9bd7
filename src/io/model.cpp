// Writing and reading the schema of model.hpp.
#include "io/model.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "io/file_bytes.hpp"
#include "io/json_place.hpp"
#include "io/refusal.hpp"
#include "io/settings_json.hpp"

namespace ellzero::io {
namespace {

constexpr std::string_view schema = "ellzero.model/";
constexpr std::string_view major = "1";

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
}

void read_coefficients(const JsonPlace& list, Model& model) {
  for (const JsonPlace& entry : list.elements()) {
    const Index j = entry["index"].whole();
    if (j >= model.data.columns || (!model.support.empty() && j <= model.support.back()))
      entry["index"].refuse(fmt::format("ascending features from 0 to {}", model.data.columns - 1));
    if (entry["feature"].text() != model.name(j)) entry["feature"].refuse(shown(model.name(j)));
    model.support.push_back(j);
    model.coefficients.push_back(entry["value"].number());
  }
}

void check_features(const JsonPlace& settings, const Model& model) {
  const Index p = model.data.columns;
  for (const Index j : model.settings.always)
    if (j >= p) settings["always"].refuse(fmt::format("features from 0 to {}", p - 1));
  if (!model.settings.lambda2) settings["lambda2"].refuse("a number");
}

}  // namespace

std::string Model::name(Index j) const { return names.empty() ? fmt::format("x{}", j) : names[j]; }

std::string to_text(const Model& model) {
  Json coefficients = Json::array();
  for (std::size_t c = 0; c < model.support.size(); ++c)
    coefficients.push_back(
        {{"feature", model.name(model.support[c])}, {"index", model.support[c]}, {"value", model.coefficients[c]}});
  const Json json = {{"schema", fmt::format("{}{}", schema, major)},
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
  // A name may hold any bytes; those that are no UTF-8 are replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Model read_model(const std::filesystem::path& path) {
  constexpr std::size_t deepest = 8;
  const FileBytes file(path);
  const Json json = parse_json(file.name(), file.text(), deepest);
  const JsonPlace root(file.name(), json);
  check_schema(root["schema"]);
  Model model;
  model.version = root["version"].text();
  model.settings = settings_from(root["settings"]);
  read_data(root["data"], model);
  check_features(root["settings"], model);
  model.classes = texts_of(root["classes"]);
  model.intercept = root["intercept"].number();
  read_coefficients(root["coefficients"], model);
  const JsonPlace certificate = root["certificate"];
  model.status = status_of(certificate["status"]);
  model.objective = certificate["objective"].number();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  model.lower_bound = certificate["lower_bound"].number_or(-infinity);
  model.gap = certificate["gap"].number_or(infinity);
  model.relative_gap = certificate["relative_gap"].number_or(infinity);
  return model;
}

}  // namespace ellzero::io
