// Comparing files by device and inode, or by their folder's where there is none yet, behind file_checks.hpp.
#include "cli/file_checks.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/bytes/atomic_file.hpp"
#include "io/bytes/destination.hpp"
#include "io/table/data_file.hpp"

namespace ellzero::cli {
namespace {

bool is_same(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

struct Identity {
  bool is_there = false;
  struct stat status {};  ///< of a file that is there
  struct stat folder {};  ///< of one that is not: where it would be, by whatever path that is reached, and its name
  std::string name;

  /// A terminal is for both reading and writing, and /dev/null takes whatever comes.
  [[nodiscard]] bool can_be_shared() const { return is_there && S_ISCHR(status.st_mode); }

  [[nodiscard]] bool operator==(const Identity& other) const {
    if (is_there != other.is_there) return false;
    return is_there ? is_same(status, other.status) : is_same(folder, other.folder) && name == other.name;
  }
};

Identity identity_of_open(int file) {
  Identity identity;
  identity.is_there = ::fstat(file, &identity.status) == 0;
  return identity;
}

Identity identity_of(const std::string& path) {
  Identity identity;
  identity.is_there = ::stat(path.c_str(), &identity.status) == 0;
  if (identity.is_there) return identity;
  const auto behind = io::bytes::destination_of(path).path;
  const auto folder = behind.has_parent_path() ? behind.parent_path() : std::filesystem::path(".");
  identity.name = behind.filename().string();
  // Where there is no folder, all such files look alike; none of them can be written, which is said instead.
  if (::stat(folder.c_str(), &identity.folder) != 0) identity.name = path;
  return identity;
}

struct KnownFile {
  NamedFile file;
  Identity identity;
};

[[noreturn]] void refuse_both(const NamedFile& one, const NamedFile& other, std::string_view path,
                              std::string_view expected) {
  throw Error(ErrorCode::Usage,
              fmt::format("{}, {}: both are the file '{}'; expected {}", one.flag, other.flag, path, expected));
}

std::vector<KnownFile> known_inputs(const std::vector<NamedFile>& inputs) {
  std::vector<KnownFile> known;
  for (const NamedFile& file : inputs)
    if (!file.path.empty())
      known.push_back({file, file.path == "-" ? identity_of_open(STDIN_FILENO) : identity_of(file.path)});
  return known;
}

/// stdout and stderr, as far as they lead to files.
std::vector<KnownFile> open_streams() {
  std::vector<KnownFile> streams;
  for (const auto& [name, number] : {std::pair("stdout", STDOUT_FILENO), std::pair("stderr", STDERR_FILENO)}) {
    const KnownFile stream{{name, ""}, identity_of_open(number)};
    if (stream.identity.is_there && S_ISREG(stream.identity.status.st_mode)) streams.push_back(stream);
  }
  return streams;
}

const KnownFile* same_file(const std::vector<KnownFile>& files, const KnownFile& wanted) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const KnownFile& file) { return file.identity == wanted.identity; });
  return found == files.end() ? nullptr : &*found;
}

/// A message must not go to a file that is read, not even the message that says so: it goes to stdout instead, or
/// nowhere.
void keep_messages_out(const std::vector<KnownFile>& inputs, const std::vector<KnownFile>& streams) {
  int elsewhere = STDOUT_FILENO;
  for (const KnownFile& stream : streams) {
    if (same_file(inputs, stream) == nullptr) continue;
    if (stream.file.flag == "stdout") elsewhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    else ::dup2(elsewhere, STDERR_FILENO);
  }
}

void check_streams(const std::vector<KnownFile>& inputs, const std::vector<KnownFile>& streams) {
  keep_messages_out(inputs, streams);
  for (const KnownFile& stream : streams)
    if (const KnownFile* const input = same_file(inputs, stream))
      refuse_both(stream.file, input->file, input->file.path,
                  "results and messages to go to another file than one that is read");
}

/// An output by the name of /dev/stdout or /dev/stderr is meant to go there.
void check_against_streams(const KnownFile& output, const std::vector<KnownFile>& streams) {
  const auto descriptor = io::bytes::destination_of(output.file.path).descriptor;
  if (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) return;
  if (const KnownFile* const stream = same_file(streams, output))
    refuse_both(output.file, stream->file, output.file.path, "a file for each");
}

}  // namespace

std::vector<NamedFile> data_files(const std::string& flag, const std::string& data,
                                  const io::table::ReadOptions& read) {
  const std::string format = read.format.empty() ? io::table::format_by_ending(data) : read.format;
  if (format == "csv" || format == "tsv" || format == "libsvm") return {{flag, data}};
  return {{flag, data},
          {"--target", read.target},
          {"--weights", read.weights},
          {"--offset", read.offset},
          {"--folds-column", read.folds}};
}

void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  const auto read = known_inputs(inputs);
  const auto streams = open_streams();
  check_streams(read, streams);
  std::vector<KnownFile> written;
  for (const NamedFile& file : outputs) {
    if (file.path.empty()) continue;
    if (file.path == "-")
      throw Error(ErrorCode::Usage, fmt::format("{}: value is '-'; expected a file (/dev/stdout is stdout, ./- a file "
                                                "of that name)",
                                                file.flag));
    const KnownFile output{file, identity_of(file.path)};
    if (output.identity.can_be_shared()) continue;
    if (const KnownFile* const input = same_file(read, output))
      refuse_both(file, input->file, file.path, "another file to write than one that is read");
    if (const KnownFile* const other = same_file(written, output))
      refuse_both(other->file, file, file.path, "a file for each");
    check_against_streams(output, streams);
    written.push_back(output);
  }
  for (const NamedFile& file : outputs)
    if (!file.path.empty()) io::bytes::require_writable(file.path);
}

}  // namespace ellzero::cli
