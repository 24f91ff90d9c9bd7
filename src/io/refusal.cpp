// The texts of refusal.hpp, and how much memory the machine has.
#include "io/refusal.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "ellzero/error.hpp"

namespace ellzero::io {

void refuse(std::string_view file, Place place, std::string_view message) {
  throw Error(ErrorCode::Data, fmt::format("{}:{}:{}: {}", file, place.line, place.column, message));
}

void refuse(std::string_view file, std::string_view message) {
  throw Error(ErrorCode::Data, fmt::format("{}: {}", file, message));
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) result += fmt::format("\\x{:02x}", byte);
    else result += c;
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
