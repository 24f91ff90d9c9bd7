// Fuzzes the CSV reader with every choice about words and missing cells; the first byte makes the choice.
#include "io/table/csv.hpp"
#include "fuzz/table_laws.hpp"
#include "io/table/missing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ellzero;
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const auto text = fuzz::text_of(data + 1, size - 1);
  io::table::ReadOptions options;
  options.words = (choice & 1) != 0;
  options.categorical = (choice & 2) != 0 ? "onehot" : "refuse";
  options.missing = (choice & 4) != 0 ? ((choice & 8) != 0 ? "drop" : "mean") : "refuse";
  if ((choice & 16) != 0) options.weights = "w";
  if ((choice & 32) != 0) options.known = {{"a", "b"}, "", {{"b", {"no", "yes"}}}, {{"a", 1.5}}};
  fuzz::read_or_refuse([&] {
    io::table::Table table = io::table::read_csv("f.csv", text, (choice & 64) != 0 ? '\t' : ',', options);
    io::table::treat_missing("f.csv", table, options);
    fuzz::check_table(table);
  });
  return 0;
}
