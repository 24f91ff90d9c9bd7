// The file behind spool.hpp: it has no name any more when the first byte is written, so nothing is left behind.
#include "io/bytes/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "io/bytes/write_all.hpp"
#include "io/refusal.hpp"

namespace ellzero::io::bytes {
namespace {

/// /var/tmp goes before /tmp, which on many machines is memory itself.
int open_nameless() {
  for (const char* const folder : {static_cast<const char*>(std::getenv("TMPDIR")), "/var/tmp", "/tmp"}) {
    if (folder == nullptr || *folder == '\0') continue;
    std::string path = std::string(folder) + "/ellzero.XXXXXX";
    const int file = ::mkostemp(path.data(), O_CLOEXEC);
    if (file < 0) continue;
    ::unlink(path.c_str());
    return file;
  }
  return -1;
}

}  // namespace

Spool::~Spool() {
  if (file_ >= 0) ::close(file_);
}

void Spool::write(std::span<const std::byte> bytes) {
  if (guard_ != nullptr) guard_->look(bytes);
  constexpr double widest = 4;  // a number of 32 characters takes 8 bytes of memory: what is larger holds no matrix
  require_memory(name_, static_cast<double>(size_ + bytes.size()) / widest);
  if (file_ < 0 && size_ <= most_ && size_ + bytes.size() > most_) open_file();
  if (file_ >= 0 && !write_file(bytes)) leave_file();
  if (file_ < 0) {
    if (kept_.size() + bytes.size() > kept_.capacity())
      require_memory(name_, 2.0 * static_cast<double>(kept_.size() + bytes.size()));
    kept_.insert(kept_.end(), bytes.begin(), bytes.end());
  }
  size_ += bytes.size();
}

Spool::Content Spool::finish() {
  if (guard_ != nullptr) guard_->finish();
  Content content;
  if (file_ >= 0) content.map.emplace(file_, name_);
  else content.bytes = std::move(kept_);
  return content;
}

void Spool::open_file() {
  file_ = open_nameless();
  if (file_ < 0) return;
  if (write_file(kept_)) std::vector<std::byte>().swap(kept_);
  else {
    ::close(file_);
    file_ = -1;
  }
}

/// False where the disk is full, for one.
bool Spool::write_file(std::span<const std::byte> bytes) const {
  return write_all(file_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Back to memory with everything before the bytes that did not fit.
void Spool::leave_file() {
  require_memory(name_, 2.0 * static_cast<double>(size_));
  const MappedFile map(file_, name_);
  kept_.assign(map.bytes().begin(), map.bytes().begin() + static_cast<std::ptrdiff_t>(size_));
  ::close(file_);
  file_ = -1;
}

}  // namespace ellzero::io::bytes
