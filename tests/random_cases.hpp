// Seeded random draws and a brute-force minimiser, for the tests that state a law and try it on thousands of cases.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace ellzero::testing {

/// A stream of random numbers: the same seed gives the same cases on every run.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  /// Between lo > 0 and hi, every order of magnitude equally likely.
  double spread(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }
  double sign() { return chance(0.5) ? 1 : -1; }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  /// 0 .. count - 1
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }

 private:
  std::mt19937_64 engine_;
};

struct Minimum {
  double where;
  long double value;
};

/// The least value of f on [lo, hi] by a grid, then golden sections around the best point of it, down to neighbouring
/// doubles. Exact up to the rounding of f where f is unimodal; never below a value that f takes.
template <class F>
Minimum minimise(F f, double lo, double hi) {
  constexpr int cells = 64;
  const auto point = [&](int k) { return k == cells ? hi : lo + (hi - lo) * k / cells; };
  Minimum best{lo, f(lo)};
  const auto try_point = [&](double x) {
    const long double value = f(x);
    if (value < best.value) best = {x, value};
    return value;
  };
  for (int k = 1; k <= cells; ++k) try_point(point(k));
  constexpr double ratio = 0.6180339887498949;
  double left = std::max(lo, best.where - (hi - lo) / cells);
  double right = std::min(hi, best.where + (hi - lo) / cells);
  for (int iteration = 0; iteration < 100 && left < right; ++iteration) {
    const double a = right - ratio * (right - left);
    const double b = left + ratio * (right - left);
    if (try_point(a) <= try_point(b)) right = b;
    else left = a;
  }
  return best;
}

}  // namespace ellzero::testing
