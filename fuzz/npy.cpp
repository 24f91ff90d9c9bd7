// Fuzzes the reader of .npy files, as a matrix and as a vector; vectors may be of other formats, too.
#include <variant>

#include "fuzz/table_laws.hpp"
#include "io/table/npy.hpp"
#include "io/table/vector_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  fuzz::read_or_refuse([&] {
    const io::table::NpyFile npy{std::filesystem::path(file.path())};
    std::visit([](const auto& X) { fuzz::check_matrix(X); }, npy.matrix());
  });
  fuzz::read_or_refuse([&] { (void)io::table::read_vector(file.path()); });
  return 0;
}
