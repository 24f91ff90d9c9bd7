// zlib and libbzip2 behind decompress.hpp: one step, two streams that say how far they came.
#include "io/bytes/decompress.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/refusal.hpp"

namespace ellzero::io::bytes {
namespace {

enum class Step { More, StreamEnd, Broken };

/// Both libraries count what they may read in 32 bits.
constexpr std::size_t most_at_once = 1 << 20;

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

/// Tapes and some disks pad with zeros, but not endlessly.
constexpr std::size_t most_padding = 1 << 30;

template <class Stream>
class UnpackerOf : public Unpacker {
 public:
  UnpackerOf(std::string_view file, Spool& out) : file_(file), out_(out) {}

  void push(Bytes in) override {
    for (bool pending = true; pending || !in.empty();) {
      if (ended_) {
        in = skip_padding(in);
        if (in.empty()) return;
        stream_.restart();
        ended_ = false;
      }
      pending = unpack(in);
    }
  }
  void finish() override {
    if (!ended_) refuse(file_, fmt::format("ends in the middle of its {} data", Stream::name));
  }

 private:
  /// Moves `in` behind what was read; whether the stream has more to give even without more input.
  bool unpack(Bytes& in) {
    auto& z = stream_.z;  // the two libraries name and count alike
    const auto in_piece = static_cast<unsigned>(std::min(in.size(), most_at_once));
    z.next_in = reinterpret_cast<decltype(z.next_in)>(const_cast<std::byte*>(in.data()));
    z.avail_in = in_piece;
    z.next_out = reinterpret_cast<decltype(z.next_out)>(unpacked_.data());
    z.avail_out = static_cast<unsigned>(unpacked_.size());
    const Step step = stream_.step();
    const std::size_t eaten = in_piece - z.avail_in;
    const std::size_t written = unpacked_.size() - z.avail_out;
    out_.write(Bytes(unpacked_).first(written));
    in = in.subspan(eaten);
    const bool stuck = step == Step::More && eaten == 0 && written == 0 && !in.empty();
    if (step == Step::Broken || stuck) refuse_broken();
    ended_ = step == Step::StreamEnd;
    return !ended_ && z.avail_out == 0;
  }

  Bytes skip_padding(Bytes in) {
    const auto next = std::find_if(in.begin(), in.end(), [](std::byte b) { return b != std::byte{0}; });
    const auto zeros = static_cast<std::size_t>(next - in.begin());
    padding_ += zeros;
    if (padding_ > most_padding)
      refuse(file_, fmt::format("has more than {} zero bytes behind its {} data", most_padding, Stream::name));
    if (padding_ > 0 && zeros < in.size()) refuse_broken();
    return in.subspan(zeros);
  }

  [[noreturn]] void refuse_broken() const { refuse(file_, fmt::format("holds broken {} data", Stream::name)); }

  std::string_view file_;
  Spool& out_;
  Stream stream_;
  std::vector<std::byte> unpacked_ = std::vector<std::byte>(1 << 18);
  bool ended_ = false;
  std::size_t padding_ = 0;
};

void unpack_all(Unpacker& unpacker, Bytes bytes, Release release) {
  while (!bytes.empty()) {
    const Bytes part = bytes.first(std::min(bytes.size(), most_at_once));
    unpacker.push(part);
    bytes = bytes.subspan(part.size());
    release(reinterpret_cast<const char*>(bytes.data()));
  }
  unpacker.finish();
}

}  // namespace

bool is_gzip(Bytes bytes) { return bytes.size() >= 2 && std::memcmp(bytes.data(), "\x1f\x8b", 2) == 0; }

bool is_bzip2(Bytes bytes) {
  // "BZh" and a digit may begin an honest text, so the mark of the first block, or of the end, is asked for as well.
  if (bytes.size() < 10 || std::memcmp(bytes.data(), "BZh", 3) != 0) return false;
  return std::memcmp(bytes.data() + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
         std::memcmp(bytes.data() + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0;
}

std::unique_ptr<Unpacker> unpacker_of(Bytes first, std::string_view file, Spool& out) {
  if (is_gzip(first)) return std::make_unique<UnpackerOf<GzipStream>>(file, out);
  if (is_bzip2(first)) return std::make_unique<UnpackerOf<Bzip2Stream>>(file, out);
  return nullptr;
}

void gunzip(std::string_view file, Bytes bytes, Spool& out, Release release) {
  UnpackerOf<GzipStream> unpacker(file, out);
  unpack_all(unpacker, bytes, release);
}
void bunzip2(std::string_view file, Bytes bytes, Spool& out, Release release) {
  UnpackerOf<Bzip2Stream> unpacker(file, out);
  unpack_all(unpacker, bytes, release);
}

}  // namespace ellzero::io::bytes
