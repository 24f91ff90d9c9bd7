// One sweep X'v over a sparse matrix given as raw files, timed: the contender that sparse_sweep.py compares with scipy.
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/thread_pool.hpp"
#include "features/make_source.hpp"
#include "features/view.hpp"
#include "stopwatch.hpp"

namespace {

/// Large pages where the system has them, as numpy asks for its arrays: what is compared is code, not page tables.
template <class T>
struct LargePages {
  using value_type = T;  // NOLINT(readability-identifier-naming): the name that allocators must have
  static constexpr std::size_t page = std::size_t{2} << 20;
  static T* allocate(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + page - 1) / page * page;
    void* memory = std::aligned_alloc(page, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    ::madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  static void deallocate(T* memory, std::size_t /*count*/) { std::free(memory); }
};

template <class T>
std::vector<T, LargePages<T>> read_raw(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T, LargePages<T>> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

}  // namespace

/// sparse_sweep DIR ROWS: reads indptr, indices, values and v from DIR, writes tau, prints the median seconds of a
/// sweep.
int main(int argc, char** argv) {
  using namespace ellzero;
  if (argc != 3) return EXIT_FAILURE;
  const std::string dir = argv[1];
  const auto indptr = read_raw<std::int32_t>(dir + "/indptr");
  const auto indices = read_raw<std::int32_t>(dir + "/indices");
  const auto values = read_raw<double>(dir + "/values");
  const auto v = read_raw<double>(dir + "/v");
  const Index rows = std::atoll(argv[2]);
  const auto cols = static_cast<Index>(indptr.size()) - 1;
  core::ThreadPool pool(1);
  const std::vector<double> w(static_cast<std::size_t>(rows), 1.0);
  const features::View source(
      features::make_source(SparseMatrix<double, std::int32_t>{rows, cols, indptr, indices, values}), w, {false, false},
      pool);
  std::vector<double> tau(static_cast<std::size_t>(cols));
  const auto timing = bench::time([&] { (void)source.sweep(v, 0, features::StoreAll{tau}); }, 15);
  std::ofstream(dir + "/tau", std::ios::binary)
      .write(reinterpret_cast<const char*>(tau.data()), static_cast<std::streamsize>(tau.size() * sizeof(double)));
  fmt::print("{}\n", timing.median);
  return EXIT_SUCCESS;
}
