// Fuzzes gzip and bzip2 in front of a reader: broken, cut short, or large once unpacked.
#include "fuzz/harness.hpp"
#include "io/bytes/decompress.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  const io::bytes::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  (void)io::bytes::is_gzip(bytes);
  (void)io::bytes::is_bzip2(bytes);
  fuzz::read_or_refuse([&] {
    io::bytes::Spool out("f.gz");
    io::bytes::gunzip("f.gz", bytes, out);
  });
  fuzz::read_or_refuse([&] {
    io::bytes::Spool out("f.bz2");
    io::bytes::bunzip2("f.bz2", bytes, out);
  });
  return 0;
}
