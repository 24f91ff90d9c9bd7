// How readers refuse: an Error(Data) that says file:line:column, what stands there and what was expected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ellzero::io {

/// Both count from 1; the column counts bytes.
struct Place {
  std::size_t line;
  std::size_t column;
};

/// Throws Error(Data) with "file:line:column: message".
[[noreturn]] void refuse(std::string_view file, Place place, std::string_view message);
/// Throws Error(Data) with "file: message".
[[noreturn]] void refuse(std::string_view file, std::string_view message);

/// Throws Error(Data) for text that is not UTF-8, which no model can hold; `what` says what it is.
void require_utf8(std::string_view file, Place place, std::string_view what, std::string_view text);

/// Whether a terminal would do something else than show it: bytes below 0x20, 0x7f, and U+0080 to U+009F.
bool has_control(std::string_view text);
/// The text for a terminal: control characters and bytes that are no UTF-8 become \xNN. Whatever comes from a file and
/// is printed for people goes through this, so that no file can move the cursor or forge a line.
std::string printable(std::string_view text);
/// The printable text in quotes for a message; long text is cut.
std::string shown(std::string_view text);

/// Throws Error(Data) when `bytes` is more than the memory of the machine; asked before allocating.
void require_memory(std::string_view file, double bytes);

}  // namespace ellzero::io
