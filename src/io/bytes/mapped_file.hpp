// A file mapped into memory, read-only, for as long as the object lives.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ellzero::io::bytes {

class MappedFile {
 public:
  /// Throws Error(InputOutput) naming the file when it cannot be opened or mapped.
  explicit MappedFile(const std::filesystem::path& path);
  /// Of a file that is open and stays so; `name` is for messages.
  MappedFile(int file, std::string_view name);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  /// Throws Error(InputOutput) naming the file if somebody has written to it since it was mapped, or cut it: what was
  /// seen of it may be partly old, partly new, partly zeros. Another file in its place changes nothing.
  void check_unchanged() const;

 private:
  std::span<const std::byte> bytes_;
  int file_ = -1;        ///< ours to close; -1 where it is another's, who lets nobody write to it
  struct stat then_ {};  ///< of the file when it was mapped
  std::string name_;
};

}  // namespace ellzero::io::bytes
