// Settings from words NAME=VALUE, by the names of the table of settings.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ellzero/settings_table.hpp"

namespace ellzero::bench {

template <class Number>
requires std::is_arithmetic_v<Number>
void assign(Number& field, std::string_view value) {
  const auto end = std::from_chars(value.data(), value.data() + value.size(), field);
  if (end.ec != std::errc() || end.ptr != value.data() + value.size())
    throw std::invalid_argument(fmt::format("expected a number, not {}", value));
}
inline void assign(std::string& field, std::string_view value) { field = value; }
inline void assign(bool& field, std::string_view value) { field = value == "yes"; }
template <class Number>
void assign(std::optional<Number>& field, std::string_view value) {
  assign(field.emplace(), value);
}

/// Numbers with commas between them.
inline void assign(std::vector<double>& field, std::string_view value) {
  field.clear();
  for (std::size_t begin = 0; begin <= value.size();) {
    const auto end = std::min(value.find(',', begin), value.size());
    assign(field.emplace_back(), value.substr(begin, end - begin));
    begin = end + 1;
  }
}

inline void set(Settings& settings, std::string_view word) {
  const auto split = word.find('=');
  const auto name = word.substr(0, split);
  for (const Setting& setting : settings_table())
    if (setting.name == name && split != std::string_view::npos)
      return std::visit(
          [&]<class Field>(Field Settings::*member) {
            if constexpr (requires(Field field) { assign(field, word); })
              assign(settings.*member, word.substr(split + 1));
            else throw std::invalid_argument(fmt::format("{}: lists are not taken here", name));
          },
          setting.member);
  throw std::invalid_argument(fmt::format("expected NAME=VALUE with the name of a setting, not {}", word));
}

}  // namespace ellzero::bench
