// Bytes that come piece by piece, nobody knows how many: a few stay in memory, more go to a file without a name.
//
// A text takes more memory than the matrix in it. On a disk it is read as any other file: mapped, page by page.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/bytes/input_guard.hpp"
#include "io/bytes/mapped_file.hpp"

namespace ellzero::io::bytes {

class Spool {
 public:
  static constexpr std::size_t default_most = 1 << 20;

  /// `name` is that of the file the bytes come from, for messages. With more than `most` bytes the disk is used:
  /// the first of $TMPDIR, /var/tmp and /tmp that can be written to; memory all the same where that has no room.
  /// A `guard` sees all of them first.
  explicit Spool(std::string_view name, std::size_t most = default_most, InputGuard* guard = nullptr)
      : name_(name), most_(most), guard_(guard) {}
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool();

  /// Throws Error(Data) for more than this machine can hold, and for what the guard refuses.
  void write(std::span<const std::byte> bytes);

  /// What was written: a map where there is a file, else `bytes`.
  struct Content {
    std::optional<MappedFile> map;
    std::vector<std::byte> bytes;
  };
  [[nodiscard]] Content finish();

 private:
  void open_file();
  [[nodiscard]] bool write_file(std::span<const std::byte> bytes) const;
  void leave_file();

  std::string_view name_;
  std::size_t most_;
  InputGuard* guard_;
  std::size_t size_ = 0;
  int file_ = -1;                // where there is one, it holds everything
  std::vector<std::byte> kept_;  // else this does
};

}  // namespace ellzero::io::bytes
