// gzip and bzip2: recognises compressed bytes and decompresses them piece by piece.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "io/bytes/release.hpp"
#include "io/bytes/spool.hpp"

namespace ellzero::io::bytes {

using Bytes = std::span<const std::byte>;

bool is_gzip(Bytes bytes);
bool is_bzip2(Bytes bytes);

/// Takes packed bytes as they come and writes what is in them.
class Unpacker {
 public:
  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  virtual ~Unpacker() = default;

  virtual void push(Bytes packed) = 0;
  /// There is no more. Throws Error(Data) where there should be.
  virtual void finish() = 0;
};

/// By the first bytes, ten or more of them; nothing where they are not packed.
std::unique_ptr<Unpacker> unpacker_of(Bytes first, std::string_view file, Spool& out);

/// Several streams one after the other are one text, as for gunzip and bunzip2. Throws Error(Data) naming `file` for
/// bytes that are broken, cut short, or far larger than memory when decompressed.
void gunzip(std::string_view file, Bytes bytes, Spool& out, Release release = {});
void bunzip2(std::string_view file, Bytes bytes, Spool& out, Release release = {});

}  // namespace ellzero::io::bytes
