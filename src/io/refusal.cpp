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

}  // namespace

void refuse(std::string_view file, Place place, std::string_view message) {
  throw Error(ErrorCode::Data, fmt::format("{}:{}:{}: {}", file, place.line, place.column, message));
}

void refuse(std::string_view file, std::string_view message) {
  throw Error(ErrorCode::Data, fmt::format("{}: {}", file, message));
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  std::string_view rest = text.substr(0, longest);
  while (!rest.empty()) {
    const auto byte = static_cast<unsigned char>(rest[0]);
    const std::size_t size = character_size(rest);
    if (size == 0 || byte < 0x20 || byte == 0x7f) result += fmt::format("\\x{:02x}", byte);
    else result += rest.substr(0, size);
    rest.remove_prefix(size == 0 ? 1 : size);
  }
  return result + (text.size() > longest ? "...'" : "'");
}

void require_memory(std::string_view file, double bytes) {
  const auto pages = static_cast<double>(::sysconf(_SC_PHYS_PAGES));
  const double memory = pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (memory > 0 && bytes > memory)
    refuse(file, fmt::format("needs {:.3g} GB of memory; this machine has {:.3g} GB", bytes / 1e9, memory / 1e9));
}

}  // namespace ellzero::io
