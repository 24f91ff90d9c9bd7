// What this process holds in memory, as the kernel counts it.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

namespace ellzero::bench {

/// A line of /proc/self/status in bytes: "VmRSS:" now, "VmHWM:" the most so far; 0 where there is no such line.
inline std::size_t memory_bytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (std::size_t kilobytes = 0; word == name && status >> kilobytes) return 1024 * kilobytes;
  return 0;
}

}  // namespace ellzero::bench
