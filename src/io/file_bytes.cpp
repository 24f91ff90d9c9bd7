// Opening, reading and decompressing behind file_bytes.hpp.
#include "io/file_bytes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/decompress.hpp"

namespace ellzero::io {
namespace {

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot {}: {}", name, what, std::strerror(errno)));
}

/// Everything until the end of a pipe, whose size nobody knows beforehand.
Spool::Content read_all(int file, const std::string& name) {
  std::vector<std::byte> piece(1 << 16);
  Spool all(name);
  while (true) {
    const ssize_t got = ::read(file, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name, "read");
    if (got == 0) return all.finish();
    all.write(std::span(piece).first(static_cast<std::size_t>(got)));
  }
}

Spool::Content read_pipe(const std::string& name) {
  const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(name, "open");
  try {
    auto content = read_all(file, name);
    ::close(file);
    return content;
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
  if (path == "-") take(read_all(STDIN_FILENO, name_));
  else if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character)
    take(read_pipe(name_));
  else map_.emplace(path);

  const bool gzip = is_gzip(bytes());
  if (!gzip && !is_bzip2(bytes())) return;
  Spool plain(name_);
  (gzip ? gunzip : bunzip2)(name_, bytes(), plain, release());
  take(plain.finish());
}

void FileBytes::take(Spool::Content content) {
  map_.reset();
  if (content.map) map_.emplace(std::move(*content.map));
  owned_ = std::move(content.bytes);
}

std::span<const std::byte> FileBytes::bytes() const { return map_ ? map_->bytes() : owned_; }

std::string_view FileBytes::text() const { return {reinterpret_cast<const char*>(bytes().data()), bytes().size()}; }

}  // namespace ellzero::io
