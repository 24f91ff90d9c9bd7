// Bytes come back as they were written, from memory or from the disk, and a disk without room is no reason to give up.
#include "io/bytes/spool.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <vector>

namespace ellzero::io::bytes {
namespace {

using Content = std::vector<std::byte>;

Content numbered(std::size_t size) {
  Content bytes(size);
  for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<std::byte>(k * k % 251);
  return bytes;
}

/// In pieces of 1000 bytes.
void write_pieces(Spool& spool, std::span<const std::byte> bytes) {
  for (; bytes.size() > 1000; bytes = bytes.subspan(1000)) spool.write(bytes.first(1000));
  spool.write(bytes);
}

TEST(Spool, keeps_few_bytes_in_memory_and_maps_many) {
  for (const std::size_t size : {0U, 1U, 4999U, 5000U, 5001U, 123456U}) {
    const Content bytes = numbered(size);
    Spool spool("f", 5000);
    write_pieces(spool, bytes);
    const auto found = spool.finish();
    EXPECT_EQ(found.map.has_value(), size > 5000);
    EXPECT_EQ(found.map ? Content(found.map->bytes().begin(), found.map->bytes().end()) : found.bytes, bytes);
  }
}

/// No file of this process may grow beyond some size, as on a disk that is full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t size) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit now{size, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    (void)std::signal(SIGXFSZ, old_handler_);
  }

 private:
  struct rlimit old_ {};
  void (*old_handler_)(int);
};

TEST(Spool, goes_back_to_memory_where_the_disk_is_full) {
  for (const rlim_t room : {0U, 3000U, 7500U, 20000U}) {
    const Content bytes = numbered(50000);
    Spool spool("f", 5000);
    {
      const SmallDisk disk(room);
      write_pieces(spool, bytes);
    }
    const auto found = spool.finish();
    EXPECT_FALSE(found.map.has_value()) << room;
    EXPECT_EQ(found.bytes, bytes) << room;
  }
}

}  // namespace
}  // namespace ellzero::io::bytes
