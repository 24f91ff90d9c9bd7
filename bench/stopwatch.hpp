// How benchmarks time things: repeated, best and median kept, so that a noisy machine shows as a spread.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace ellzero::bench {

struct Timing {
  double best;
  double median;
};

/// Runs f once to warm up, then at least `repeats` times and for at least `seconds`.
template <class F>
Timing time(F&& f, int repeats = 7, double seconds = 0.2) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  f();
  std::vector<double> runs;
  const auto begin = Clock::now();
  while (static_cast<int>(runs.size()) < repeats || since(begin) < seconds) {
    const auto start = Clock::now();
    f();
    runs.push_back(since(start));
  }
  std::sort(runs.begin(), runs.end());
  return {runs.front(), runs[runs.size() / 2]};
}

/// For work that may take long and tells its own seconds: longer than one, once; shorter, again and again after that.
template <class F>
Timing time_briefly(F&& f, int repeats = 5) {
  const double seconds = f();
  if (seconds > 1) return {seconds, seconds};
  return time(f, repeats);
}

/// Keeps the compiler from dropping a computation whose result nobody reads.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace ellzero::bench
