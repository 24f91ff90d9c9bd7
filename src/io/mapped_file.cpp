// mmap behind mapped_file.hpp.
#include "io/mapped_file.hpp"

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

namespace ellzero::io {
namespace {

[[noreturn]] void fail(std::string_view name, const char* what) {
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot {}: {}", name, what, std::strerror(errno)));
}

/// At MAP_FAILED where it cannot be mapped.
std::span<const std::byte> map(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return {static_cast<const std::byte*>(MAP_FAILED), 1};
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};
  return {static_cast<const std::byte*>(::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0)), size};
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const std::string name = path.string();
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(name, "open");
  bytes_ = map(file);
  ::close(file);
  if (bytes_.data() == MAP_FAILED) fail(name, "map");
}

MappedFile::MappedFile(int file, std::string_view name) : bytes_(map(file)) {
  if (bytes_.data() == MAP_FAILED) fail(name, "map");
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

}  // namespace ellzero::io
