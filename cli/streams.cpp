// The standard descriptors behind streams.hpp; nothing is kept in a buffer that could be lost at the end.
#include "cli/streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/bytes/write_all.hpp"
#include "io/refusal.hpp"

namespace ellzero::cli {

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // Each opened the wrong way round, so that reading data and writing results fail as they do on a closed descriptor.
  constexpr int ways[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const bool closed = ::fcntl(standard, F_GETFD) < 0 && errno == EBADF;
    if (closed && ::open("/dev/null", ways[standard]) != standard)
      throw Error(ErrorCode::InputOutput, fmt::format("descriptor {}: is closed; expected it to be open", standard));
  }
}

void write_stdout(std::string_view text) {
  if (!io::bytes::write_all(STDOUT_FILENO, text))
    throw Error(ErrorCode::InputOutput, fmt::format("cannot write to stdout: {}", std::strerror(errno)));
}

void say(std::string_view text) { static_cast<void>(io::bytes::write_all(STDERR_FILENO, text)); }

void say_notes(std::span<const std::string> notes) {
  for (const std::string& note : notes) say(fmt::format("note: {}\n", io::printable(note)));
}

}  // namespace ellzero::cli
