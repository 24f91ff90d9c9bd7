// gzip and bzip2: recognises compressed bytes and decompresses them in memory.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ellzero::io {

using Bytes = std::span<const std::byte>;

bool is_gzip(Bytes bytes);
bool is_bzip2(Bytes bytes);

/// Several streams one after the other are one text, as for gunzip and bunzip2. Throws Error(Data) naming `file` for
/// bytes that are broken, cut short, or larger than memory when decompressed.
std::vector<std::byte> gunzip(std::string_view file, Bytes bytes);
std::vector<std::byte> bunzip2(std::string_view file, Bytes bytes);

}  // namespace ellzero::io
