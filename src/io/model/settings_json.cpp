// Both directions of settings_json.hpp, by the type of each field.
#include "io/model/settings_json.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/settings_table.hpp"
#include "io/suggestion.hpp"

namespace ellzero::io::model {
namespace {

Json one(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
template <class T>
Json one(const T& value) {
  return Json(value);
}
template <class T>
Json one(const std::optional<T>& value) {
  return value ? one(*value) : Json(nullptr);
}
template <class T>
Json one(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(one(value));
  return list;
}

/// In a list of bounds null stands for the infinite one.
struct Reader {
  const Setting& setting;

  void read(const JsonPlace& place, bool& value) const { value = place.truth(); }
  void read(const JsonPlace& place, int& value) const {
    const Index whole = place.whole();
    if (whole > INT_MAX) place.refuse(fmt::format("at most {}", INT_MAX));
    value = static_cast<int>(whole);
  }
  void read(const JsonPlace& place, Index& value) const { value = place.whole(); }
  void read(const JsonPlace& place, std::string& value) const { value = place.text(); }
  void read(const JsonPlace& place, double& value) const {
    const double endless = std::isinf(setting.lowest) ? setting.lowest : setting.highest;
    value = place.is_null() && std::isinf(endless) ? endless : place.number();
  }
  template <class T>
  void read(const JsonPlace& place, std::optional<T>& value) const {
    if (!place.is_null()) read(place, value.emplace());
  }
  template <class T>
  void read(const JsonPlace& place, std::vector<T>& values) const {
    for (const JsonPlace& element : place.elements()) read(element, values.emplace_back());
  }
};

}  // namespace

Json to_json(const Settings& settings) {
  Json json = Json::object();
  for (const Setting& setting : settings_table())
    std::visit([&](auto member) { json[std::string(setting.name)] = one(settings.*member); }, setting.member);
  return json;
}

Settings settings_from(const JsonPlace& place) {
  Settings settings;
  std::vector<std::string> names;
  for (const Setting& setting : settings_table()) names.emplace_back(setting.name);
  for (const auto& [key, value] : place.members()) {
    const auto row = std::find_if(settings_table().begin(), settings_table().end(),
                                  [&, &wanted = key](const Setting& setting) { return setting.name == wanted; });
    if (row == settings_table().end()) value.refuse("no such setting" + suggestion(key, names));
    std::visit([&, &element = value](auto member) { Reader{*row}.read(element, settings.*member); }, row->member);
  }
  try {
    validate(settings);
  } catch (const Error& error) {
    place.refuse(error.what());
  }
  return settings;
}

}  // namespace ellzero::io::model
