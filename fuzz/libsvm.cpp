// Fuzzes the LIBSVM reader; the first byte says what becomes of missing numbers.
#include "io/table/libsvm.hpp"
#include "fuzz/table_laws.hpp"
#include "io/table/missing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  if (size == 0 || fuzz::has_long_number(fuzz::text_of(data + 1, size - 1), 6)) return 0;
  const char* const missing[] = {"refuse", "drop", "mean"};
  io::table::ReadOptions options;
  options.missing = missing[data[0] % 3];
  fuzz::read_or_refuse([&] {
    io::table::Table table = io::table::read_libsvm("f.svm", fuzz::text_of(data + 1, size - 1), options);
    io::table::treat_missing("f.svm", table, options);
    fuzz::check_table(table);
  });
  return 0;
}
