// Reads one data file and prints, as JSON, how long it took, how large the matrix is and how much more memory
// the process held than before.
//
// Usage: bench_read FILE [FORMAT]
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "io/table/data_file.hpp"
#include "tasks/fit/memory.hpp"

namespace {

using namespace ellzero;

/// Bytes of the matrix, and the sum of its entries, each times one more than its row, to compare answers by.
struct Content {
  double bytes = 0;
  double sum = 0;
};

template <class T>
Content content(const DenseMatrix<T>& X) {
  Content found{static_cast<double>(sizeof(T)) * static_cast<double>(X.rows) * static_cast<double>(X.cols), 0};
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i)
      found.sum += static_cast<double>(X.data[i * X.row_stride + j * X.col_stride]) * static_cast<double>(i + 1);
  return found;
}

template <class T, class I>
Content content(const SparseMatrix<T, I>& X) {
  Content found{static_cast<double>(X.values.size_bytes() + X.indices.size_bytes() + X.indptr.size_bytes()), 0};
  for (std::size_t e = 0; e < X.values.size(); ++e)
    found.sum += static_cast<double>(X.values[e]) * static_cast<double>(X.indices[e] + 1);
  return found;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): a benchmark that fails may end with the exception
int main(int argc, char** argv) {
  if (argc < 2) return 2;
  io::table::ReadOptions options;
  if (argc > 2) options.format = argv[2];
  const std::size_t before = bench::memory_bytes("VmRSS:");
  const auto start = std::chrono::steady_clock::now();
  const io::table::Table table = io::table::read_table(argv[1], options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::size_t peak = bench::memory_bytes("VmHWM:") - before;
  const Content X = std::visit(
      []<class M>(const M& matrix) {
        if constexpr (std::is_pointer_v<M>) return Content{};  // a table holds its entries
        else return content(matrix);
      },
      table.matrix());
  fmt::print("{{\"seconds\":{},\"rows\":{},\"columns\":{},\"matrix_bytes\":{},\"peak_bytes\":{},\"sum\":{}}}\n",
             seconds, table.rows(), table.cols(), X.bytes, peak, X.sum);
}
