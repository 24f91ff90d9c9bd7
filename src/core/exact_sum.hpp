// The sum of a few numbers that is rounded once, at the end: Shewchuk's expansions, and pairs that hold twice the
// digits.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

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
  /// At most `most` terms in all.
  void add(double x) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const Pair pair = two_sum(x, parts_[k]);
      x = pair.high;
      if (pair.low != 0) parts_[kept++] = pair.low;
    }
    if (x != 0) parts_[kept++] = x;
    count_ = kept;
  }

  /// Within eps (1 + 16 eps) of the exact sum, relative to that sum: what a first addition leaves is added, too.
  [[nodiscard]] double value() const {
    const double first = plain();
    ExactSum rest = *this;
    rest.add(-first);
    return first + rest.plain();
  }

  static constexpr std::size_t most = 8;

 private:
  [[nodiscard]] double plain() const {
    double sum = 0;
    for (std::size_t k = 0; k < count_; ++k) sum += parts_[k];
    return sum;
  }

  std::array<double, most + 1> parts_ = {};
  std::size_t count_ = 0;
};

/// Adds a b to a pair: the sum keeps about 104 bits, however much of it cancels later.
inline void add_product(Pair& sum, double a, double b) {
  const double product = a * b;
  const Pair next = two_sum(sum.high, product);
  const double low = sum.low + (next.low + std::fma(a, b, -product));
  sum = two_sum(next.high, low);
}

}  // namespace ellzero::core
