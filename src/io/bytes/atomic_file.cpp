// Temporary file, sync and rename behind atomic_file.hpp.
#include "io/bytes/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/bytes/destination.hpp"
#include "io/bytes/write_all.hpp"

namespace ellzero::io::bytes {
namespace {

using std::filesystem::file_type;

[[noreturn]] void refuse_file(const std::string& name) {
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot write: {}", name, std::strerror(errno)));
}

/// Of a new file.
mode_t mode_by_mask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// Whether there is no file to replace: a descriptor, a device or a pipe takes the bytes as they come.
bool is_direct(const Destination& to) {
  const bool is_there = to.kind != file_type::not_found && to.kind != file_type::none;
  return to.descriptor || (is_there && to.kind != file_type::regular);
}

bool may_write(const Destination& to) {
  if (!to.descriptor) return ::faccessat(AT_FDCWD, to.path.c_str(), W_OK, AT_EACCESS) == 0;
  const int flags = ::fcntl(*to.descriptor, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) errno = EBADF;
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/// Where the bytes go, unless something there forbids it.
Destination checked_destination(const std::filesystem::path& path) {
  Destination to = destination_of(path);
  if (to.kind == file_type::directory)
    throw Error(ErrorCode::InputOutput, fmt::format("{}: is a directory; expected a file to write", path.string()));
  // A renaming would pass over the protection of the old file: it asks the folder only.
  if ((is_direct(to) || to.kind == file_type::regular) && !may_write(to)) refuse_file(path.string());
  return to;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : name_(path.string()) {
  const Destination to = checked_destination(path);
  target_ = to.path.string();
  direct_ = is_direct(to);
  if (!direct_) {
    open_temporary();
    return;
  }
  constexpr int above_standard = 3;
  file_ = to.descriptor ? ::fcntl(*to.descriptor, F_DUPFD_CLOEXEC, above_standard)
                        : ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (file_ < 0) fail();
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
    fail();
  }
  take_after_target();
}

void AtomicFile::take_after_target() {
  struct stat old {
  }, own{};
  if (::stat(target_.c_str(), &old) != 0) {
    ::fchmod(file_, mode_by_mask());
    return;
  }
  const auto unchanged = static_cast<uid_t>(-1);
  const bool given = ::fchown(file_, old.st_uid, old.st_gid) == 0 || ::fchown(file_, unchanged, old.st_gid) == 0;
  const bool same_group = given || (::fstat(file_, &own) == 0 && own.st_gid == old.st_gid);
  mode_t mode = old.st_mode & 0777;
  if (!same_group) mode &= 0707 | (mode & 07) << 3;  // another group may do no more than everybody
  ::fchmod(file_, mode);
}

/// A name of its own first: a link cannot replace a file, only a renaming can.
void AtomicFile::give_name() {
  const std::string opened = fmt::format("/proc/self/fd/{}", file_);
  for (int attempt = 0; temporary_.empty(); ++attempt) {
    const std::string name = fmt::format("{}/.ellzero-{}-{}", folder_of(target_), ::getpid(), attempt);
    if (::linkat(AT_FDCWD, opened.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) temporary_ = name;
    else if (errno != EEXIST) fail();
  }
}

void AtomicFile::fail() { refuse_file(name_); }

void AtomicFile::write(std::string_view bytes) {
  if (!write_all(file_, bytes)) fail();
}

void AtomicFile::commit() {
  if (!direct_ && ::fsync(file_) != 0) fail();
  if (!direct_) give_name();
  const int closed = ::close(file_);
  file_ = -1;
  if (closed != 0) fail();
  if (direct_) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
  const int directory = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;  // the name is there; only a loss of power right now could take it away again
  ::fsync(directory);
  ::close(directory);
}

void require_writable(const std::filesystem::path& path) {
  if (!is_direct(checked_destination(path))) const AtomicFile trial(path);
}

}  // namespace ellzero::io::bytes
