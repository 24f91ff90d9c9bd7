// Both ways between the fields of Settings and Python's values, by the types in the table.
#include "python/settings.hpp"

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "ellzero/error.hpp"
#include "ellzero/idle_settings.hpp"
#include "ellzero/settings_table.hpp"

namespace ellzero::python {
namespace {

namespace nb = nanobind;

template <class T>
inline constexpr bool is_list = requires(T value) {
  value.push_back({});
}
&&!std::is_same_v<T, std::string>;

template <class T>
inline constexpr bool is_optional = requires(T value) {
  value.has_value();
};

template <class Field>
nb::object to_python(const Field& field) {
  if constexpr (is_optional<Field>) {
    return field ? nb::cast(*field) : nb::none();
  } else if constexpr (is_list<Field>) {
    return nb::none();  // every list is empty by default, which means that it is unset
  } else {
    return nb::cast(field);
  }
}

std::string shown(nb::handle value) {
  const auto text = nb::cast<std::string>(nb::repr(value));
  return text.size() <= 80 ? text : text.substr(0, 80) + "...";
}

[[noreturn]] void refuse(const Setting& setting, nb::handle value) {
  PyErr_Clear();
  const auto expected = setting.choices.empty() ? type_text(setting) : range_text(setting);
  throw nb::type_error(fmt::format("{}: value is {}; expected {}", setting.name, shown(value), expected).c_str());
}

/// numpy's numbers count as numbers, True and words do not.
bool is_truth(nb::handle value) {
  return PyBool_Check(value.ptr()) != 0 || nb::cast<std::string>(value.type().attr("__name__")) == "bool_";
}

void assign(const Setting& setting, nb::handle value, bool& field) {
  if (!is_truth(value) && nb::cast<std::string>(value.type().attr("__name__")) != "bool") refuse(setting, value);
  field = PyObject_IsTrue(value.ptr()) == 1;
}

void assign(const Setting& setting, nb::handle value, double& field) {
  if (is_truth(value) || PyUnicode_Check(value.ptr()) != 0) refuse(setting, value);
  field = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) refuse(setting, value);
}

void assign(const Setting& setting, nb::handle value, Index& field) {
  if (is_truth(value) || PyIndex_Check(value.ptr()) == 0) refuse(setting, value);
  field = PyNumber_AsSsize_t(value.ptr(), PyExc_OverflowError);
  if (PyErr_Occurred() == nullptr) return;
  if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) refuse(setting, value);
  PyErr_Clear();
  throw Error(ErrorCode::Usage,
              fmt::format("{}: value is {}; expected {}, in 64 bits", setting.name, shown(value), range_text(setting)));
}

void assign(const Setting& setting, nb::handle value, int& field) {
  Index wide = 0;
  assign(setting, value, wide);
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
    throw Error(ErrorCode::Usage,
                fmt::format("{}: value is {}; expected {}", setting.name, shown(value), range_text(setting)));
  field = static_cast<int>(wide);
}

void assign(const Setting& setting, nb::handle value, std::string& field) {
  if (!nb::try_cast(value, field)) refuse(setting, value);
}

template <class T>
void assign(const Setting& setting, nb::handle value, std::optional<T>& field) {
  assign(setting, value, field.emplace());
}

/// One number stands for a list of one.
template <class T>
void assign(const Setting& setting, nb::handle value, std::vector<T>& field) {
  if (PyUnicode_Check(value.ptr()) != 0) refuse(setting, value);
  if (PySequence_Check(value.ptr()) == 0 || PySequence_Size(value.ptr()) < 0) {
    PyErr_Clear();
    return assign(setting, value, field.emplace_back());
  }
  for (const nb::handle one : value) assign(setting, one, field.emplace_back());
}

const Setting& row_of(std::string_view name) {
  for (const Setting& setting : settings_table())
    if (setting.name == name) return setting;
  throw nb::type_error(fmt::format("there is no setting '{}'", name).c_str());
}

}  // namespace

nb::list table_rows() {
  nb::list rows;
  for (const Setting& setting : settings_table()) {
    nb::dict row;
    row["name"] = setting.name;
    row["type"] = type_text(setting);
    row["default"] = std::visit([](auto member) { return to_python(Settings{}.*member); }, setting.member);
    nb::list choices;
    for (const auto choice : setting.choices) choices.append(choice);
    row["choices"] = nb::tuple(choices);
    row["range"] = range_text(setting);
    row["unset"] = setting.unset;
    row["help"] = setting.help;
    rows.append(row);
  }
  return rows;
}

Settings settings_from(const nb::dict& values) {
  Settings settings;
  for (const auto& [name, value] : values) {
    if (value.is_none()) continue;
    const Setting& setting = row_of(nb::cast<std::string>(name));
    std::visit([&, &value = value](auto member) { assign(setting, value, settings.*member); }, setting.member);
  }
  return settings;
}

void refuse_idle(const nb::dict& values, bool walks, bool proves) {
  const Wording wording{.spell = [](std::string_view name) { return std::string(name); },
                        .where_chosen = "without lambda0 and k",
                        .where_proved = "with certify=True"};
  const auto idle = find_idle_setting(settings_from(values), {.walks = walks, .proves = proves}, wording,
                                      [&](std::string_view name) { return values.contains(nb::cast(name)); });
  if (idle) throw Error(ErrorCode::Usage, fmt::format("{}: is set; expected it only {}", idle->name, idle->expected));
}

}  // namespace ellzero::python
