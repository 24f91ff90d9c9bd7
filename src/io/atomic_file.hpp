// A file that appears under its name only when it is complete; whatever was there before stays intact until then.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ellzero::io {

class AtomicFile {
 public:
  /// Opens a temporary file in the same folder, so that a folder that cannot be written to is noticed at once. It has
  /// no name before commit(), so that whatever ends the program leaves nothing behind; where the file system knows no
  /// such files, it has one. A device or a pipe is written to directly. Throws Error(InputOutput).
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  /// Without commit() nothing is left behind.
  ~AtomicFile();

  void write(std::string_view bytes);
  /// To the disk, then under its name.
  void commit();

 private:
  [[noreturn]] void fail(const char* what);
  void open_temporary();
  void give_name();

  std::string name_;       // as the user says it
  std::string target_;     // behind symbolic links
  std::string temporary_;  // "" while there is no name
  bool device_ = false;
  int file_ = -1;
};

}  // namespace ellzero::io
