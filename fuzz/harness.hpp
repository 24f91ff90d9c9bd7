// What all fuzzers share: bytes as a text or as a file, and that a refusal is an answer.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ellzero/error.hpp"

namespace ellzero::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Runs it; an Error is fine, anything else that is thrown is a find.
template <class Run>
void read_or_refuse(Run run) {
  try {
    run();
  } catch (const Error&) {
    return;
  }
}

/// A file in memory, for readers that want a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("fuzz", 0)) {
    if (file_ < 0 || ::write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Numbers that stand for sizes are small: a text of ten bytes may honestly ask for gigabytes, which only takes time.
inline bool has_long_number(std::string_view text, std::size_t digits) {
  std::size_t run = 0;
  for (const char c : text) {
    run = c >= '0' && c <= '9' ? run + 1 : 0;
    if (run > digits) return true;
  }
  return false;
}

}  // namespace ellzero::fuzz
