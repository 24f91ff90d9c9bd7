// A file to write that is complete or not there, compressed where its name ends in .gz or .bz2.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace ellzero::io::bytes {

/// Turns bytes into packed ones, piece by piece.
class Packer;

class PackedFile {
 public:
  /// As AtomicFile: throws Error(InputOutput), as all of it does, when the file cannot be written.
  explicit PackedFile(const std::filesystem::path& path);
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;
  /// Without commit() nothing is left behind.
  ~PackedFile();

  void write(std::string_view bytes);
  /// Nothing more is written: the last bytes go to the file, so that only its name is left to give.
  void finish();
  /// After finish().
  void commit();

 private:
  std::unique_ptr<Packer> packer_;
};

}  // namespace ellzero::io::bytes
