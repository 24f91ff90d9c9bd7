// Where the bytes go that are written to a path: behind its links, or to a descriptor that is open already.
#pragma once

#include <filesystem>
#include <optional>

namespace ellzero::io::bytes {

struct Destination {
  std::filesystem::path path;     ///< behind symbolic links, also where there is no file at their end yet
  std::optional<int> descriptor;  ///< N of /dev/fd/N, 1 of /dev/stdout: to write on, never to open anew or to replace
  std::filesystem::file_type kind;
};

/// Throws Error(InputOutput) for links that lead in a circle.
Destination destination_of(const std::filesystem::path& path);

}  // namespace ellzero::io::bytes
