// The texts of refusal.hpp, and how much memory the machine has.
#include "io/refusal.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "ellzero/error.hpp"

namespace ellzero::io {
namespace {

/// How many bytes the character takes that starts the text; 0 where none does, as in text that is no UTF-8.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (byte(0) > 0xf4 || size > text.size()) return 0;
  for (std::size_t k = 1; k < size; ++k)
    if (byte(k) < 0x80 || byte(k) > 0xbf) return 0;
  const bool overlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool beyond = (byte(0) == 0xed && byte(1) > 0x9f) || (byte(0) == 0xf4 && byte(1) > 0x8f);
  return overlong || beyond ? 0 : size;
}

/// Whether the character of `size` bytes that starts the text is no letter but a command.
bool starts_with_control(std::string_view text, std::size_t size) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  return size == 1 ? byte(0) < 0x20 || byte(0) == 0x7f : size == 2 && byte(0) == 0xc2 && byte(1) < 0xa0;
}

/// Hands every character to `see`, with its size, or 0 and a single byte that is none.
template <class See>
void for_each_character(std::string_view text, See see) {
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::size_t taken = size == 0 ? 1 : size;
    see(text.substr(0, taken), size);
    text.remove_prefix(taken);
  }
}

}  // namespace

void refuse(std::string_view file, Place place, std::string_view message) {
  throw Error(ErrorCode::Data, fmt::format("{}:{}:{}: {}", file, place.line, place.column, message));
}

void refuse(std::string_view file, std::string_view message) {
  throw Error(ErrorCode::Data, fmt::format("{}: {}", file, message));
}

void require_utf8(std::string_view file, Place place, std::string_view what, std::string_view text) {
  bool right = true;
  for_each_character(text, [&](std::string_view, std::size_t size) { right = right && size > 0; });
  if (!right)
    refuse(file, place,
           fmt::format("{} {} is not UTF-8; expected text that is (iconv -f latin1 -t utf8 makes it of Latin-1)", what,
                       shown(text)));
}

bool has_control(std::string_view text) {
  bool found = false;
  for_each_character(text, [&](std::string_view character, std::size_t size) {
    found = found || starts_with_control(character, size);
  });
  return found;
}

std::string printable(std::string_view text) {
  std::string result;
  for_each_character(text, [&](std::string_view character, std::size_t size) {
    if (size > 0 && !starts_with_control(character, size)) result += character;
    else
      for (const char c : character) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  });
  return result;
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  return fmt::format("'{}{}'", printable(text.substr(0, longest)), text.size() > longest ? "..." : "");
}

void require_memory(std::string_view file, double bytes) {
  const auto pages = static_cast<double>(::sysconf(_SC_PHYS_PAGES));
  const double memory = pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (memory > 0 && bytes > memory)
    refuse(file, fmt::format("needs {:.3g} GB of memory; this machine has {:.3g} GB", bytes / 1e9, memory / 1e9));
}

}  // namespace ellzero::io
