// mmap behind mapped_file.hpp.
#include "io/bytes/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ellzero/error.hpp"

namespace ellzero::io::bytes {
namespace {

[[noreturn]] void fail(std::string_view name, const char* what) {
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot {}: {}", name, what, std::strerror(errno)));
}

/// At MAP_FAILED where it cannot be mapped.
std::span<const std::byte> map(int file, struct stat& status) {
  if (::fstat(file, &status) != 0) return {static_cast<const std::byte*>(MAP_FAILED), 1};
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};
  return {static_cast<const std::byte*>(::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0)), size};
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), name_(path.string()) {
  if (file_ < 0) fail(name_, "open");
  bytes_ = map(file_, then_);
  if (bytes_.data() != MAP_FAILED) return;
  const int error = errno;
  ::close(file_);
  errno = error;
  fail(name_, "map");
}

MappedFile::MappedFile(int file, std::string_view name) : bytes_(map(file, then_)), name_(name) {
  if (bytes_.data() == MAP_FAILED) fail(name, "map");
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  if (file_ >= 0) ::close(file_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      file_(std::exchange(other.file_, -1)),
      then_(other.then_),
      name_(std::move(other.name_)) {}

void MappedFile::check_unchanged() const {
  struct stat now {};
  if (file_ < 0) return;
  if (::fstat(file_, &now) != 0) fail(name_, "look at it again");
  if (now.st_size != then_.st_size || now.st_mtim.tv_sec != then_.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != then_.st_mtim.tv_nsec)
    throw Error(ErrorCode::InputOutput,
                fmt::format("{}: was written to while it was read; what came out may be of other numbers", name_));
}

}  // namespace ellzero::io::bytes
