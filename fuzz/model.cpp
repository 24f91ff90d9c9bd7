// Fuzzes the reader of model files; what it accepts is written and read again as the same.
#include "io/model/model.hpp"
#include "fuzz/harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  fuzz::read_or_refuse([&] {
    const std::string text = io::model::to_text(io::model::read_model(file.path()));
    const fuzz::MemoryFile again(text);
    try {
      fuzz::require(io::model::to_text(io::model::read_model(again.path())) == text);
    } catch (const Error&) {
      std::abort();  // it was accepted before
    }
  });
  return 0;
}
