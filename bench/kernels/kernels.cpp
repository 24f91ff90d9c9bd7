// Kernel benchmark: the dense sweep against the machine's read bandwidth, and dot and axpy against baseline
// instructions.
#include "core/kernels.hpp"

#include <cstdlib>
#include <memory>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <hwy/targets.h>

#include "core/thread_pool.hpp"
#include "features/make_source.hpp"
#include "features/view.hpp"
#include "stopwatch.hpp"

namespace {

using namespace ellzero;

/// Starts at a cache line, as gathered columns do.
struct AlignedVector {
  explicit AlignedVector(Index n) : size(static_cast<std::size_t>(n)), data(new (std::align_val_t{64}) double[size]) {
    std::mt19937_64 rng(1);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < size; ++i) data[i] = normal(rng);
  }
  ~AlignedVector() { ::operator delete[](data, std::align_val_t{64}); }
  AlignedVector(const AlignedVector&) = delete;
  AlignedVector& operator=(const AlignedVector&) = delete;
  std::span<double> all() { return {data, size}; }

  std::size_t size;
  double* data;
};

/// Reads every byte once and does as little else as a machine can: the yardstick for a sweep.
double read_all(const double* data, Index count) {
  double sums[32] = {};
  for (Index i = 0; i + 32 <= count; i += 32)
    for (int k = 0; k < 32; ++k) sums[k] += data[i + k];
  double total = 0;
  for (const double s : sums) total += s;
  return total;
}

struct LargestTau {
  double largest = 0;
  void visit(Index /*j*/, double tau) { largest = std::max(largest, std::abs(tau)); }
  void merge(const LargestTau& next) { largest = std::max(largest, next.largest); }
};

void sweep_against_bandwidth(Index n, Index p, int threads) {
  const std::unique_ptr<double[]> X(new double[static_cast<std::size_t>(n * p)]);
  std::uint64_t state = 1;
  for (Index i = 0; i < n * p; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    X[i] = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  }
  AlignedVector v(n);
  const std::vector<double> w(static_cast<std::size_t>(n), 1.0);
  core::ThreadPool pool(threads);
  const features::View source(features::make_source(column_major(X.get(), n, p)), w, {false, false}, pool);
  constexpr Index pieces = 1024;
  const auto reading = bench::time([&] {
    pool.run(pieces, [&](Index b) {
      const Index first = n * p / pieces * b;
      bench::keep(read_all(X.get() + first, n * p / pieces));
    });
  });
  const auto sweeping = bench::time([&] { bench::keep(source.sweep(v.all(), 0, LargestTau{}).largest); });
  const double gigabytes = static_cast<double>(n * p) * sizeof(double) / 1e9;
  fmt::print("dense sweep, n = {:>7}, p = {:>6}, {} thread{}: {:5.1f} GB/s, reading alone {:5.1f} GB/s: {:3.0f}%\n", n,
             p, threads, threads == 1 ? " " : "s", gigabytes / sweeping.median, gigabytes / reading.median,
             100 * reading.median / sweeping.median);
}

struct InCache {
  double dot;
  double axpy;
};

InCache time_in_cache(Index n) {
  constexpr int inner = 2000;
  const AlignedVector x(n);
  AlignedVector y(n);
  const auto dot = bench::time([&] {
    for (int k = 0; k < inner; ++k) bench::keep(core::dot(x.data, y.all()));
  });
  const auto axpy = bench::time([&] {
    for (int k = 0; k < inner; ++k) core::axpy(1e-9, x.data, y.all());
  });
  return {dot.median / inner, axpy.median / inner};
}

void in_cache_against_baseline(Index n) {
  const std::string fast = core::instruction_set();
  const InCache best = time_in_cache(n);
  hwy::SetSupportedTargetsForTest(HWY_STATIC_TARGET);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const std::string slow = core::instruction_set();
  const InCache baseline = time_in_cache(n);
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  fmt::print("in cache, n = {}: dot {:5.1f} ns with {}, {:5.1f} ns with {}: {:.2f}x\n", n, 1e9 * best.dot, fast,
             1e9 * baseline.dot, slow, baseline.dot / best.dot);
  fmt::print("in cache, n = {}: axpy {:4.1f} ns with {}, {:5.1f} ns with {}: {:.2f}x\n", n, 1e9 * best.axpy, fast,
             1e9 * baseline.axpy, slow, baseline.axpy / best.axpy);
}

}  // namespace

int main() {
  in_cache_against_baseline(1000);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const int threads : {1, cores}) {
    sweep_against_bandwidth(1000, 250'000, threads);
    sweep_against_bandwidth(1'000'000, 250, threads);
  }
  return EXIT_SUCCESS;
}
