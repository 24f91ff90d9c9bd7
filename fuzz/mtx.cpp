// Fuzzes the MatrixMarket reader, as a matrix and as a vector.
#include "fuzz/table_laws.hpp"
#include "io/table/matrix_market.hpp"
#include "io/table/missing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  if (size == 0 || fuzz::has_long_number(fuzz::text_of(data + 1, size - 1), 6)) return 0;
  const char* const missing[] = {"refuse", "drop", "mean"};
  io::table::ReadOptions options;
  options.missing = missing[data[0] % 3];
  const auto text = fuzz::text_of(data + 1, size - 1);
  fuzz::read_or_refuse([&] {
    io::table::Table table = io::table::read_matrix_market("f.mtx", text, options);
    io::table::treat_missing("f.mtx", table, options);
    fuzz::check_table(table);
  });
  fuzz::read_or_refuse([&] { (void)io::table::read_matrix_market_vector("f.mtx", text); });
  return 0;
}
