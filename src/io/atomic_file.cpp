// Temporary file, sync and rename behind atomic_file.hpp.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "ellzero/error.hpp"

namespace ellzero::io {
namespace {

mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : name_(path.string()), target_(name_) {
  std::error_code missing;
  const auto kind = std::filesystem::status(path, missing).type();
  if (kind == std::filesystem::file_type::directory)
    throw Error(ErrorCode::InputOutput, fmt::format("{}: is a directory; expected a file to write", name_));
  const bool there = kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::none;
  if (there && kind != std::filesystem::file_type::regular) {
    file_ = ::open(name_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail("write");
    return;
  }
  if (there) target_ = std::filesystem::canonical(path, missing).string();
  temporary_ = target_ + ".XXXXXX";
  file_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (file_ < 0) {
    temporary_.clear();
    fail("write");
  }
  ::fchmod(file_, usual_mode());
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) {
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot {}: {}", name_, what, std::strerror(errno)));
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  const bool plain = !temporary_.empty();
  if (plain && ::fsync(file_) != 0) fail("write");
  const int closed = ::close(file_);
  file_ = -1;
  if (closed != 0) fail("write");
  if (!plain) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write");
  temporary_.clear();
  const auto folder = std::filesystem::path(target_).parent_path();
  const int directory = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;  // the name is there; only a loss of power right now could take it away again
  ::fsync(directory);
  ::close(directory);
}

}  // namespace ellzero::io
