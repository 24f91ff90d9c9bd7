// One decimal number in a text, read exactly and fast.
#pragma once

#include <fast_float/fast_float.h>

#include <optional>
#include <string_view>
#include <system_error>

namespace ellzero::io::table {

/// Reads the number that starts at `first` and returns where it ends, or nullptr when none starts there. "+1" is fine,
/// and so are "nan" and "inf": callers that want finite numbers ask for them.
inline const char* read_number(const char* first, const char* last, double& value) {
  if (first < last && *first == '+') {
    ++first;
    if (first < last && (*first == '-' || *first == '+')) return nullptr;
  }
  const auto [end, error] = fast_float::from_chars(first, last, value);
  return error == std::errc() ? end : nullptr;
}

/// The number that is the whole of `text`, if it is one.
inline std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  if (read_number(text.data(), last, value) != last || text.empty()) return std::nullopt;
  return value;
}

}  // namespace ellzero::io::table
