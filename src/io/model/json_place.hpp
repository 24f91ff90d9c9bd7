// Reading JSON strictly: every value knows where it stands, so that a refusal can say what was expected there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "ellzero/dataset.hpp"

namespace ellzero::io::model {

using Json = nlohmann::ordered_json;

/// Throws Error(Data) with file:line:column for text that is no JSON, nests deeper than `deepest`, or names a key
/// twice.
Json parse_json(std::string_view file, std::string_view text, std::size_t deepest);

/// A value and its place, like certificate.objective or coefficients[3].value. All of these throw Error(Data) that
/// names the file, the place, the value and the expectation. Borrows.
class JsonPlace {
 public:
  JsonPlace(std::string_view file, const Json& value, std::string path = "")
      : file_(file), value_(value), path_(std::move(path)) {}

  [[nodiscard]] const Json& json() const { return value_; }
  [[nodiscard]] bool is_null() const { return value_.is_null(); }
  [[noreturn]] void refuse(std::string_view expected) const;

  [[nodiscard]] bool contains(const char* key) const { return value_.is_object() && value_.contains(key); }
  [[nodiscard]] JsonPlace operator[](const char* key) const;  ///< must be there
  [[nodiscard]] std::vector<JsonPlace> elements() const;
  [[nodiscard]] std::vector<std::pair<std::string, JsonPlace>> members() const;

  [[nodiscard]] double number() const;  ///< finite
  [[nodiscard]] double number_or(double unknown) const { return is_null() ? unknown : number(); }
  [[nodiscard]] Index whole() const;  ///< 0 or above
  [[nodiscard]] bool truth() const;
  [[nodiscard]] std::string text() const;

 private:
  std::string file_;
  const Json& value_;
  std::string path_;
};

}  // namespace ellzero::io::model
