// A file mapped into memory, read-only, for as long as the object lives.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace ellzero::io {

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

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace ellzero::io
