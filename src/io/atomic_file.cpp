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
#include "io/write_all.hpp"

namespace ellzero::io {
namespace {

/// That of the file it replaces, or what the user's mask leaves.
mode_t mode_for(const std::string& target) {
  struct stat old = {};
  if (::stat(target.c_str(), &old) == 0) return old.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : name_(path.string()), target_(name_) {
  std::error_code missing;
  const auto kind = std::filesystem::status(path, missing).type();
  if (kind == std::filesystem::file_type::directory)
    throw Error(ErrorCode::InputOutput, fmt::format("{}: is a directory; expected a file to write", name_));
  const bool there = kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::none;
  device_ = there && kind != std::filesystem::file_type::regular;
  if (device_) {
    file_ = ::open(name_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail("write");
    return;
  }
  if (there) target_ = std::filesystem::canonical(path, missing).string();
  open_temporary();
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::open_temporary() {
  const bool can_name = ::access("/proc/self/fd", X_OK) == 0;
  if (can_name) file_ = ::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file_ < 0) {
    temporary_ = folder_of(target_) + "/.ellzero-XXXXXX";
    file_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  }
  if (file_ < 0) {
    temporary_.clear();
    fail("write");
  }
  ::fchmod(file_, mode_for(target_));
}

/// A name of its own first: a link cannot replace a file, only a renaming can.
void AtomicFile::give_name() {
  const std::string opened = fmt::format("/proc/self/fd/{}", file_);
  for (int attempt = 0; temporary_.empty(); ++attempt) {
    const std::string name = fmt::format("{}/.ellzero-{}-{}", folder_of(target_), ::getpid(), attempt);
    if (::linkat(AT_FDCWD, opened.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) temporary_ = name;
    else if (errno != EEXIST) fail("write");
  }
}

void AtomicFile::fail(const char* what) {
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot {}: {}", name_, what, std::strerror(errno)));
}

void AtomicFile::write(std::string_view bytes) {
  if (!write_all(file_, bytes)) fail("write");
}

void AtomicFile::commit() {
  if (!device_ && ::fsync(file_) != 0) fail("write");
  if (!device_) give_name();
  const int closed = ::close(file_);
  file_ = -1;
  if (closed != 0) fail("write");
  if (device_) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write");
  temporary_.clear();
  const int directory = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;  // the name is there; only a loss of power right now could take it away again
  ::fsync(directory);
  ::close(directory);
}

}  // namespace ellzero::io
