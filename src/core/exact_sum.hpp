// Sums of numbers and products that are rounded once, at the end: Shewchuk's expansions, and pairs that hold twice the
// digits.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace ellzero::core {

/// a + b without rounding: `high` is the rounded sum, `low` what that lost.
struct Pair {
  double high = 0;
  double low = 0;
};

inline Pair two_sum(double a, double b) {
  const double sum = a + b, added = sum - a;
  return {sum, (a - (sum - added)) + (b - added)};
}

/// Numbers that add up to the exact sum; no two of them share a bit.
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (const double part : parts_) {
      const Pair pair = two_sum(x, part);
      x = pair.high;
      if (pair.low != 0) parts_[kept++] = pair.low;
    }
    parts_.resize(kept);
    if (x != 0) parts_.push_back(x);
  }
  void add_product(double a, double b) {
    const double product = a * b;
    add(product);
    add(std::fma(a, b, -product));
  }

  /// Within eps (1 + 16 eps) of the exact sum, relative to that sum: what a first addition leaves is added, too.
  [[nodiscard]] double value() const {
    const double first = plain();
    ExactSum rest = *this;
    rest.add(-first);
    return first + rest.plain();
  }

 private:
  [[nodiscard]] double plain() const {
    double sum = 0;
    for (const double part : parts_) sum += part;
    return sum;
  }

  std::vector<double> parts_;  // the smallest first
};

/// Adds a b to a pair: the sum keeps about 104 bits, however much of it cancels later.
inline void add_product(Pair& sum, double a, double b) {
  const double product = a * b;
  const Pair next = two_sum(sum.high, product);
  const double low = sum.low + (next.low + std::fma(a, b, -product));
  sum = two_sum(next.high, low);
}

}  // namespace ellzero::core
