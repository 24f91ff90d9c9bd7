// Fuzzes the reader of proof files, behind a header and a checksum that always fit.
#include <bit>
#include <string>

#include "fuzz/harness.hpp"
#include "io/proof/proof_file.hpp"
#include "io/proof/proof_format.hpp"

namespace {

/// Looks at every list, as a check would.
struct Sink : ellzero::ProofSink {
  void on_point(const ellzero::ProofPoint& point) override {
    ellzero::fuzz::require(point.support.size() == point.values.size());
  }
  void on_split(std::int64_t, std::int64_t, std::int64_t, std::int64_t) override {}
  void on_diagonal(std::int64_t, std::span<const ellzero::Index> features, std::span<const double> values) override {
    ellzero::fuzz::require(features.size() == values.size());
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  const io::model::Fingerprint mark{3, 5, 0};
  const auto read = [&](const std::string& bytes) {
    const fuzz::MemoryFile file(bytes);
    Sink sink;
    fuzz::read_or_refuse([&] { (void)io::proof::read_proof(file.path(), mark, sink); });
  };
  const std::string given(fuzz::text_of(data, size));
  read(given);
  std::string whole = std::string(io::proof::proof_magic) + static_cast<char>(io::proof::proof_version) + "\x03\x05";
  whole.append(8, '\0');
  whole += given;
  const std::uint64_t sum = io::proof::checksum(whole, io::proof::checksum_start);
  for (int k = 0; k < 8; ++k) whole += static_cast<char>((sum >> (8 * k)) & 0xff);
  read(whole);
  return 0;
}
