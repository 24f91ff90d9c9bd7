// gzip and bzip2: recognises compressed bytes and decompresses them piece by piece.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "io/release.hpp"
#include "io/spool.hpp"

namespace ellzero::io {

using Bytes = std::span<const std::byte>;

bool is_gzip(Bytes bytes);
bool is_bzip2(Bytes bytes);

/// Several streams one after the other are one text, as for gunzip and bunzip2. Throws Error(Data) naming `file` for
/// bytes that are broken, cut short, or far larger than memory when decompressed.
void gunzip(std::string_view file, Bytes bytes, Spool& out, Release release = {});
void bunzip2(std::string_view file, Bytes bytes, Spool& out, Release release = {});

}  // namespace ellzero::io
