// Parsing and refusals of json_place.hpp.
#include "io/model/json_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/refusal.hpp"

namespace ellzero::io::model {
namespace {

Place place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line_start = before.rfind('\n') + 1;  // 0 where there is none
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1, before.size() - line_start + 1};
}

/// Follows the parser: how deep it is, and the keys of every object it is in.
class Guard {
 public:
  Guard(std::string_view file, std::size_t deepest) : file_(file), deepest_(deepest) {}

  bool operator()(int /*depth*/, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (keys_.size() >= deepest_) refuse(file_, fmt::format("nests deeper than {} levels", deepest_));
      keys_.emplace_back();
    } else if (event == Event::object_end || event == Event::array_end) {
      keys_.pop_back();
    } else if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
      refuse(file_, fmt::format("has the key {} twice", shown(parsed.get<std::string>())));
    }
    return true;
  }

 private:
  std::string_view file_;
  std::size_t deepest_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Json parse_json(std::string_view file, std::string_view text, std::size_t deepest) {
  require_memory(file, sizeof(Json) * static_cast<double>(text.size()) / 2);  // a value takes two bytes, "1,"
  const std::size_t nul = text.find('\0');  // where the library would stop reading, whatever comes behind it
  if (nul != text.npos) refuse(file, place_of(text, nul + 1), "found a zero byte; expected text");
  Guard guard(file, deepest);
  try {
    return Json::parse(text, std::ref(guard));
  } catch (const Json::parse_error& error) {
    refuse(file, place_of(text, error.byte), "no JSON from here on; expected what `ellzero fit -o` writes");
  } catch (const Json::exception& error) {
    refuse(file, error.what());
  }
}

void JsonPlace::refuse(std::string_view expected) const {
  const std::string found = value_.is_structured() ? fmt::format("a list or object of {} values", value_.size())
                                                   : shown(value_.dump(-1, ' ', false, Json::error_handler_t::replace));
  io::refuse(file_, fmt::format("{}: value is {}; expected {}", path_.empty() ? "the file" : path_, found, expected));
}

JsonPlace JsonPlace::operator[](const char* key) const {
  if (!value_.is_object()) refuse(fmt::format("an object with {}", key));
  const auto found = value_.find(key);
  const std::string path = path_.empty() ? key : fmt::format("{}.{}", path_, key);
  if (found == value_.end()) io::refuse(file_, fmt::format("{}: is missing", path));
  return {file_, *found, path};
}

std::vector<JsonPlace> JsonPlace::elements() const {
  if (!value_.is_array()) refuse("a list");
  std::vector<JsonPlace> result;
  for (std::size_t k = 0; k < value_.size(); ++k)
    result.emplace_back(file_, value_[k], fmt::format("{}[{}]", path_, k));
  return result;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_.is_object()) refuse("an object");
  std::vector<std::pair<std::string, JsonPlace>> result;
  for (const auto& [key, value] : value_.items())
    result.emplace_back(key, JsonPlace(file_, value, fmt::format("{}.{}", path_, key)));
  return result;
}

double JsonPlace::number() const {
  if (!value_.is_number() || !std::isfinite(value_.get<double>())) refuse("a finite number");
  return value_.get<double>();
}

Index JsonPlace::whole() const {
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() > largest) refuse("a whole number, 0 or above");
  return static_cast<Index>(value_.get<std::uint64_t>());
}

bool JsonPlace::truth() const {
  if (!value_.is_boolean()) refuse("true or false");
  return value_.get<bool>();
}

std::string JsonPlace::text() const {
  if (!value_.is_string()) refuse("a text");
  return value_.get<std::string>();
}

}  // namespace ellzero::io::model
