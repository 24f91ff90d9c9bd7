// zlib and libbzip2 behind packed_file.hpp: one loop, and for each library how to take a step.
#include "io/bytes/packed_file.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include "io/bytes/atomic_file.hpp"
#include "io/letters.hpp"

namespace ellzero::io::bytes {

class Packer {
 public:
  explicit Packer(const std::filesystem::path& path) : file_(path) {}
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  virtual ~Packer() = default;

  virtual void write(std::string_view bytes) { file_.write(bytes); }
  virtual void finish() {}
  void commit() { file_.commit(); }

 protected:
  AtomicFile file_;
};

namespace {

/// The two libraries name and count alike.
template <class Stream>
class PackerOf : public Packer {
 public:
  using Packer::Packer;

  void write(std::string_view bytes) override {
    constexpr std::size_t piece = 1 << 20;  // both count in 32 bits
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) pass_on(bytes.substr(0, piece), false);
  }
  void finish() override { pass_on({}, true); }

 private:
  void pass_on(std::string_view bytes, bool last) {
    auto& z = stream_.z;
    z.next_in = reinterpret_cast<decltype(z.next_in)>(const_cast<char*>(bytes.data()));
    z.avail_in = static_cast<unsigned>(bytes.size());
    for (bool done = false; !done;) {
      z.next_out = reinterpret_cast<decltype(z.next_out)>(out_.data());
      z.avail_out = static_cast<unsigned>(out_.size());
      done = stream_.step(last);
      file_.write({out_.data(), out_.size() - z.avail_out});
    }
  }

  Stream stream_;
  std::vector<char> out_ = std::vector<char>(1 << 16);
};

struct GzipPacking {
  z_stream z{};
  GzipPacking() {
    constexpr int gzip_header = 16 + MAX_WBITS, memory = 8;
    if (::deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_header, memory, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  GzipPacking(const GzipPacking&) = delete;
  GzipPacking& operator=(const GzipPacking&) = delete;
  ~GzipPacking() { ::deflateEnd(&z); }
  /// True when there is nothing more to come for now.
  bool step(bool last) {
    const int code = ::deflate(&z, last ? Z_FINISH : Z_NO_FLUSH);
    return last ? code == Z_STREAM_END : z.avail_in == 0 && z.avail_out > 0;
  }
};

struct Bzip2Packing {
  bz_stream z{};
  Bzip2Packing() {
    constexpr int best = 9;
    if (::BZ2_bzCompressInit(&z, best, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  Bzip2Packing(const Bzip2Packing&) = delete;
  Bzip2Packing& operator=(const Bzip2Packing&) = delete;
  ~Bzip2Packing() { ::BZ2_bzCompressEnd(&z); }
  bool step(bool last) {
    if (!last && z.avail_in == 0) return true;
    const int code = ::BZ2_bzCompress(&z, last ? BZ_FINISH : BZ_RUN);
    return last ? code == BZ_STREAM_END : z.avail_in == 0;
  }
};

std::unique_ptr<Packer> packer_for(const std::filesystem::path& path) {
  if (same_letters(path.extension().string(), ".gz")) return std::make_unique<PackerOf<GzipPacking>>(path);
  if (same_letters(path.extension().string(), ".bz2")) return std::make_unique<PackerOf<Bzip2Packing>>(path);
  return std::make_unique<Packer>(path);
}

}  // namespace

PackedFile::PackedFile(const std::filesystem::path& path) : packer_(packer_for(path)) {}
PackedFile::~PackedFile() = default;
void PackedFile::write(std::string_view bytes) { packer_->write(bytes); }
void PackedFile::finish() { packer_->finish(); }
void PackedFile::commit() { packer_->commit(); }

}  // namespace ellzero::io::bytes
