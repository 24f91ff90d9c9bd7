// The words of encoding.hpp that mean that nothing is known.
#include "io/encoding.hpp"

#include <algorithm>
#include <array>

namespace ellzero::io {

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 6> words = {"", "?", "na", "n/a", "nan", "null"};
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; };
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::equal(cell.begin(), cell.end(), word.begin(), word.end(), same);
  });
}

}  // namespace ellzero::io
