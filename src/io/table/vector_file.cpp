// The three formats of vector_file.hpp.
#include "io/table/vector_file.hpp"

#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "io/bytes/file_bytes.hpp"
#include "io/refusal.hpp"
#include "io/table/encoding.hpp"
#include "io/table/heading.hpp"
#include "io/table/matrix_market.hpp"
#include "io/table/npy.hpp"
#include "io/table/number.hpp"

namespace ellzero::io::table {
namespace {

std::vector<double> read_lines(std::string_view file, std::string_view text) {
  constexpr std::string_view spaces = " \t\r";
  std::vector<double> result;
  std::size_t line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view cell = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = cell.find_first_not_of(spaces);
    if (first == std::string_view::npos) continue;
    cell = cell.substr(first, cell.find_last_not_of(spaces) + 1 - first);
    const auto value = is_missing(cell) ? std::numeric_limits<double>::quiet_NaN() : number_of(cell);
    if (!value || std::isinf(*value))
      refuse(file, {line, first + 1}, fmt::format("found {}; expected one number on each line", shown(cell)));
    result.push_back(*value);
  }
  return result;
}

}  // namespace

std::vector<double> read_vector(const std::filesystem::path& path) {
  bytes::InputGuard guard(bytes::FileBytes::name_of(path), heading_of(""));
  const bytes::FileBytes file(path, &guard);
  if (is_npy(file.text())) return read_npy_vector(file);
  if (is_matrix_market(file.text())) return read_matrix_market_vector(file.name(), file.text());
  return read_lines(file.name(), file.text());
}

}  // namespace ellzero::io::table
