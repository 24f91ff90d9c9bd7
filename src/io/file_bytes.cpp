// Opening, reading and decompressing behind file_bytes.hpp.
#include "io/file_bytes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/decompress.hpp"
#include "io/refusal.hpp"

namespace ellzero::io {
namespace {

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot {}: {}", name, what, std::strerror(errno)));
}

/// Everything until the end of a pipe, whose size nobody knows beforehand.
std::vector<std::byte> read_all(int file, const std::string& name) {
  std::vector<std::byte> bytes(1 << 16);
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) {
      require_memory(name, 2.0 * static_cast<double>(bytes.size()));
      bytes.resize(2 * bytes.size());
    }
    const ssize_t got = ::read(file, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name, "read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

std::vector<std::byte> read_pipe(const std::string& name) {
  const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(name, "open");
  try {
    auto bytes = read_all(file, name);
    ::close(file);
    return bytes;
  } catch (...) {
    ::close(file);
    throw;
  }
}

}  // namespace

FileBytes::FileBytes(const std::filesystem::path& path) : name_(path == "-" ? "<stdin>" : path.string()) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (kind == std::filesystem::file_type::directory)
    throw Error(ErrorCode::InputOutput, fmt::format("{}: is a directory; expected a file", name_));
  if (path == "-") owned_ = read_all(STDIN_FILENO, name_);
  else if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character)
    owned_ = read_pipe(name_);
  else map_.emplace(path);

  const bool gzip = is_gzip(bytes());
  if (!gzip && !is_bzip2(bytes())) return;
  auto plain = gzip ? gunzip(name_, bytes()) : bunzip2(name_, bytes());
  map_.reset();
  owned_ = std::move(plain);
}

std::span<const std::byte> FileBytes::bytes() const { return map_ ? map_->bytes() : owned_; }

std::string_view FileBytes::text() const { return {reinterpret_cast<const char*>(bytes().data()), bytes().size()}; }

}  // namespace ellzero::io
