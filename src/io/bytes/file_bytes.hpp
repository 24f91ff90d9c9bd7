// The bytes of a file, however it comes: mapped when plain, spooled first when compressed, a pipe, or "-" (stdin).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/input_guard.hpp"
#include "io/bytes/mapped_file.hpp"
#include "io/bytes/release.hpp"
#include "io/bytes/spool.hpp"

namespace ellzero::io::bytes {

class FileBytes {
 public:
  /// gzip and bzip2 are recognised by their first bytes. Throws Error(InputOutput) when the file cannot be read and
  /// Error(Data) when it cannot be decompressed, or when a `guard` refuses it.
  explicit FileBytes(const std::filesystem::path& path, InputGuard* guard = nullptr);

  [[nodiscard]] std::span<const std::byte> bytes() const;
  [[nodiscard]] std::string_view text() const;
  /// For a reader that passes over the text; it does nothing for the few bytes that are in memory anyway.
  [[nodiscard]] Release release() const { return map_ ? Release(map_->bytes()) : Release(); }
  /// As MappedFile does; bytes that are in memory do not change.
  void check_unchanged() const {
    if (map_) map_->check_unchanged();
  }
  /// For messages: the path, or "<stdin>".
  [[nodiscard]] static std::string name_of(const std::filesystem::path& path);
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  void read_file(const std::filesystem::path& path, InputGuard* guard);
  void take(Spool::Content content);

  std::string name_;
  std::optional<MappedFile> map_;
  std::vector<std::byte> owned_;  ///< used when there is no map
};

}  // namespace ellzero::io::bytes
