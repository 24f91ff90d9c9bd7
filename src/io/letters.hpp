// Comparing words without regard to capital and small letters.
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

namespace ellzero::io {

inline bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

inline bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_letter);
}

}  // namespace ellzero::io
