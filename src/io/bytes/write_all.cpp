// The loop of write_all.hpp.
#include "io/bytes/write_all.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace ellzero::io::bytes {

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      struct pollfd room {
        file, POLLOUT, 0
      };
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace ellzero::io::bytes
