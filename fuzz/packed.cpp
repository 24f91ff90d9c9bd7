// Fuzzes gzip and bzip2 in front of a reader: broken, cut short, or large once unpacked.
#include "fuzz/harness.hpp"
#include "io/decompress.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  const io::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  (void)io::is_gzip(bytes);
  (void)io::is_bzip2(bytes);
  fuzz::read_or_refuse([&] { (void)io::gunzip("f.gz", bytes); });
  fuzz::read_or_refuse([&] { (void)io::bunzip2("f.bz2", bytes); });
  return 0;
}
