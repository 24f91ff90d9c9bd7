// zlib and libbzip2 behind decompress.hpp: one loop, two streams that say how far they came.
#include "io/decompress.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/refusal.hpp"

namespace ellzero::io {
namespace {

enum class Step { More, StreamEnd, Broken };

/// Both libraries count what they may read in 32 bits.
constexpr std::size_t piece = 1 << 20;

struct GzipStream {
  static constexpr const char* name = "gzip";
  z_stream z{};

  GzipStream() {
    constexpr int gzip_header = 16 + MAX_WBITS;
    if (::inflateInit2(&z, gzip_header) != Z_OK) throw std::bad_alloc();
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() { ::inflateEnd(&z); }

  void restart() { ::inflateReset(&z); }
  Step step() {
    const int code = ::inflate(&z, Z_NO_FLUSH);
    if (code == Z_STREAM_END) return Step::StreamEnd;
    return code == Z_OK || code == Z_BUF_ERROR ? Step::More : Step::Broken;
  }
};

struct Bzip2Stream {
  static constexpr const char* name = "bzip2";
  bz_stream z{};

  Bzip2Stream() { start(); }
  Bzip2Stream(const Bzip2Stream&) = delete;
  Bzip2Stream& operator=(const Bzip2Stream&) = delete;
  ~Bzip2Stream() { ::BZ2_bzDecompressEnd(&z); }

  void start() {
    if (::BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  void restart() {
    ::BZ2_bzDecompressEnd(&z);
    z = {};
    start();
  }
  Step step() {
    const int code = ::BZ2_bzDecompress(&z);
    if (code == BZ_STREAM_END) return Step::StreamEnd;
    return code == BZ_OK ? Step::More : Step::Broken;
  }
};

bool only_zeros(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

template <class Stream>
void decompress(std::string_view file, Bytes in, Spool& out, Release release) {
  Stream stream;
  auto& z = stream.z;  // the two libraries name and count alike
  std::vector<std::byte> unpacked(1 << 18);
  while (true) {
    const auto in_piece = static_cast<unsigned>(std::min(in.size(), piece));
    z.next_in = reinterpret_cast<decltype(z.next_in)>(const_cast<std::byte*>(in.data()));
    z.avail_in = in_piece;
    z.next_out = reinterpret_cast<decltype(z.next_out)>(unpacked.data());
    z.avail_out = static_cast<unsigned>(unpacked.size());
    const Step step = stream.step();
    const std::size_t eaten = in_piece - z.avail_in;
    const std::size_t written = unpacked.size() - z.avail_out;
    out.write(Bytes(unpacked).first(written));
    in = in.subspan(eaten);
    release(reinterpret_cast<const char*>(in.data()));
    if (step == Step::Broken) refuse(file, fmt::format("holds broken {} data", Stream::name));
    if (step == Step::StreamEnd) {
      if (in.empty() || only_zeros(in)) return;  // tapes and some disks pad with zeros
      stream.restart();
    } else if (eaten == 0 && written == 0) {
      refuse(file, fmt::format("ends in the middle of its {} data", Stream::name));
    }
  }
}

}  // namespace

bool is_gzip(Bytes bytes) { return bytes.size() >= 2 && std::memcmp(bytes.data(), "\x1f\x8b", 2) == 0; }

bool is_bzip2(Bytes bytes) {
  // "BZh" and a digit may begin an honest text, so the mark of the first block, or of the end, is asked for as well.
  if (bytes.size() < 10 || std::memcmp(bytes.data(), "BZh", 3) != 0) return false;
  return std::memcmp(bytes.data() + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
         std::memcmp(bytes.data() + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0;
}

void gunzip(std::string_view file, Bytes bytes, Spool& out, Release release) {
  decompress<GzipStream>(file, bytes, out, release);
}
void bunzip2(std::string_view file, Bytes bytes, Spool& out, Release release) {
  decompress<Bzip2Stream>(file, bytes, out, release);
}

}  // namespace ellzero::io
