// madvise behind release.hpp.
#include "io/bytes/release.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace ellzero::io::bytes {
namespace {

constexpr std::uintptr_t step = 1 << 20;

}  // namespace

Release::Release(std::span<const std::byte> map)
    : from_(reinterpret_cast<std::uintptr_t>(map.data())), due_(from_ + step) {}

void Release::let_go(std::uintptr_t upto) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t behind = upto / page * page;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): pages are counted in whole numbers
  ::madvise(reinterpret_cast<void*>(from_), behind - from_, MADV_DONTNEED);  // a hint: nothing depends on it
  from_ = behind;
  due_ = behind + step;
}

}  // namespace ellzero::io::bytes
