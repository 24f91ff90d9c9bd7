// What writer and reader of proof files agree on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ellzero::io::proof {

inline constexpr std::string_view proof_magic(
    "\x89"
    "EZPROOF",
    8);
inline constexpr std::uint64_t proof_version = 1;

enum class ProofTag : unsigned char { End = 0xe5, Point = 1, ClosingPoint = 2, Split = 3, Diagonal = 4 };

/// Tag, number of records, objective, lower bound, checksum.
inline constexpr std::size_t proof_end_size = 1 + 4 * 8;

/// FNV-1a: any single changed byte changes it.
inline constexpr std::uint64_t checksum_start = 0xcbf29ce484222325u;
inline std::uint64_t checksum(std::string_view bytes, std::uint64_t sum) {
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return sum;
}

}  // namespace ellzero::io::proof
