// Opening, reading and decompressing behind file_bytes.hpp.
#include "io/bytes/file_bytes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/bytes/decompress.hpp"

namespace ellzero::io::bytes {
namespace {

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot {}: {}", name, what, std::strerror(errno)));
}

/// The next bytes, fewer than there is room for only at the end.
Bytes read_piece(int file, const std::string& name, std::span<std::byte> room) {
  std::size_t filled = 0;
  while (filled < room.size()) {
    const ssize_t got = ::read(file, room.data() + filled, room.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name, "read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return room.first(filled);
}

/// Everything until the end of a pipe, whose size nobody knows beforehand, unpacked as it comes.
Spool::Content read_all(int file, const std::string& name, InputGuard* guard) {
  std::vector<std::byte> room(1 << 16);
  Spool all(name, Spool::default_most, guard);
  Bytes piece = read_piece(file, name, room);
  const auto unpacker = unpacker_of(piece, name, all);
  std::size_t packed = 0;
  for (; !piece.empty(); piece = read_piece(file, name, room)) {
    packed += piece.size();
    if (unpacker && guard != nullptr) guard->unpacked_from(packed);
    if (unpacker) unpacker->push(piece);
    else all.write(piece);
  }
  if (unpacker) unpacker->finish();
  return all.finish();
}

Spool::Content read_pipe(const std::string& name, InputGuard* guard) {
  const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(name, "open");
  try {
    auto content = read_all(file, name, guard);
    ::close(file);
    return content;
  } catch (...) {
    ::close(file);
    throw;
  }
}

}  // namespace

std::string FileBytes::name_of(const std::filesystem::path& path) { return path == "-" ? "<stdin>" : path.string(); }

FileBytes::FileBytes(const std::filesystem::path& path, InputGuard* guard) : name_(name_of(path)) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (kind == std::filesystem::file_type::directory)
    throw Error(ErrorCode::InputOutput, fmt::format("{}: is a directory; expected a file", name_));
  if (path == "-") take(read_all(STDIN_FILENO, name_, guard));
  else if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character)
    take(read_pipe(name_, guard));
  else read_file(path, guard);
}

void FileBytes::read_file(const std::filesystem::path& path, InputGuard* guard) {
  map_.emplace(path);
  const bool gzip = is_gzip(bytes());
  if (!gzip && !is_bzip2(bytes())) {
    if (guard != nullptr) guard->look_at_start(bytes());
    return;
  }
  if (guard != nullptr) guard->unpacked_from(bytes().size());
  Spool plain(name_, Spool::default_most, guard);
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

}  // namespace ellzero::io::bytes
