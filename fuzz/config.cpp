// Fuzzes --config files, and with them the table of settings: every value is read, refused or validated.
#include "cli/options.hpp"
#include "fuzz/harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  const auto text = fuzz::text_of(data, size);
  if (text.find("help") != std::string_view::npos || text.find("version") != std::string_view::npos) return 0;  // print
  const fuzz::MemoryFile file(text);
  fuzz::read_or_refuse([&] { (void)cli::parse_options("prove", "", {"data.csv", "--config", file.path()}); });
  return 0;
}
