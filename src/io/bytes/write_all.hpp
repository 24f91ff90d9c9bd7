// Writes all bytes to an open file, however many calls that takes.
#pragma once

#include <string_view>

namespace ellzero::io::bytes {

/// Waits where the file takes nothing for now, as a pipe that must not block does. False when it takes no more; errno
/// says why.
[[nodiscard]] bool write_all(int file, std::string_view bytes);

}  // namespace ellzero::io::bytes
