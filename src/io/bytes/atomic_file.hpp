// A file that appears under its name only when it is complete; whatever was there before stays intact until then.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ellzero::io::bytes {

class AtomicFile {
 public:
  /// Opens a temporary file in the same folder, so that a folder that cannot be written to is noticed at once. It has
  /// no name before commit(), so that whatever ends the program leaves nothing behind; where the file system knows no
  /// such files, it has one. A symbolic link stays, and what it leads to is replaced. The new file has mode, owner and
  /// group of the old one as far as the user may give them. A device, a pipe or an open descriptor (/dev/stdout) is
  /// written to directly. Throws Error(InputOutput), also for an old file that the user may not write to.
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  /// Without commit() nothing is left behind.
  ~AtomicFile();

  void write(std::string_view bytes);
  /// To the disk, then under its name.
  void commit();

 private:
  [[noreturn]] void fail();
  void open_temporary();
  void take_after_target();
  void give_name();

  std::string name_;       // as the user says it
  std::string target_;     // behind symbolic links
  std::string temporary_;  // "" while there is no name
  bool direct_ = false;
  int file_ = -1;
};

/// Throws as AtomicFile does where it could not be opened, and leaves no trace. A pipe is not opened for it, as its
/// reader would see it end.
void require_writable(const std::filesystem::path& path);

}  // namespace ellzero::io::bytes
