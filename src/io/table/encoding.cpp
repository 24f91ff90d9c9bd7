// The words of encoding.hpp that mean that nothing is known.
#include "io/table/encoding.hpp"

#include <algorithm>
#include <array>

#include "io/letters.hpp"

namespace ellzero::io::table {

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 6> words = {"", "?", "na", "n/a", "nan", "null"};
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return same_letters(cell, word); });
}

}  // namespace ellzero::io::table
