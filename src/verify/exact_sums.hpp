// Sums and inner products in twice the working precision, with a bound on what is left of their rounding.
//
// Knuth's sum and Dekker's product split an operation into its rounding and the exact rest; the rests are added up in
// double. For m terms that leaves |computed - exact| <= u |computed| + (m u)^2 sum |terms| (Ogita, Rump, Oishi 2005).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/rounding.hpp"
#include "verify/interval.hpp"

namespace ellzero::verify {

/// value + rest is exact.
struct TwoPart {
  double value;
  double rest;
};

inline TwoPart two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// Exact where no part overflows or falls below the normal numbers; magnitudes here are within 1e140.
inline TwoPart two_product(double a, double b) {
  constexpr double halves = 0x1p27 + 1;
  const double product = a * b, ca = halves * a, cb = halves * b;
  const double ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh;
  return {product, al * bl - (((product - ah * bh) - al * bh) - ah * bl)};
}

/// A sum of numbers and products without any rounding, as parts that do not overlap (Shewchuk 1997).
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (const double part : parts_) {
      const TwoPart sum = two_sum(x, part);
      if (sum.rest != 0) parts_[kept++] = sum.rest;
      x = sum.value;
    }
    parts_.resize(kept);
    parts_.push_back(finite(x));
  }
  void add_product(double a, double b) {
    constexpr double smallest = 0x1p-960;  // below, the rest of a product is rounded
    const TwoPart product = two_product(a, b);
    add(product.value);
    add(product.rest);
    if (a != 0 && b != 0 && std::abs(product.value) < smallest) lost_ += 0x1p-1060;
  }
  [[nodiscard]] Interval value() const {
    double sum = 0;
    for (const double part : parts_) sum += part;  // the smallest first: no rounding but the last few matters
    return sum == 0 && lost_ == 0 ? Interval(0) : Interval::around(sum, 0x1p-50 * std::abs(sum) + lost_);
  }

 private:
  std::vector<double> parts_;  // from the smallest to the largest
  double lost_ = 0;
};

/// What a sum of m terms with magnitudes of no more than `size` together may be off; the last term is for what falls
/// below the normal numbers.
inline double sum_error(double computed, double m, double size) {
  constexpr double u = core::unit_roundoff;
  return up(2 * u * std::abs(computed) + 2 * (m + 8) * (m + 8) * u * u * size + m * 0x1p-1000);
}

/// A sum of intervals.
class IntervalSum {
 public:
  void add(const Interval& term) {
    low_.add(term.lo);
    high_.add(term.hi);
    ++terms_;
  }
  [[nodiscard]] Interval value() const { return {low_.value(terms_).lo, high_.value(terms_).hi}; }

 private:
  class Side {
   public:
    void add(double x) {
      const TwoPart next = two_sum(sum_, x);
      sum_ = next.value;
      rest_ += next.rest;
      size_ += std::abs(x);
    }
    [[nodiscard]] Interval value(double terms) const {
      const double computed = sum_ + rest_;
      return Interval::around(computed, sum_error(computed, terms, size_ * (1 + 1e-6)));
    }

   private:
    double sum_ = 0, rest_ = 0, size_ = 0;
  };
  Side low_, high_;
  double terms_ = 0;
};

/// A running inner product; several side by side keep a processor busy.
template <std::size_t lanes>
class ProductSum {
 public:
  void add(std::size_t lane, double a, double b) {
    const TwoPart product = two_product(a, b), next = two_sum(sum_[lane], product.value);
    sum_[lane] = next.value;
    rest_[lane] += next.rest + product.rest;
  }
  /// Of m products, with sum |a_i b_i| <= size.
  [[nodiscard]] Interval value(double m, double size) const {
    double sum = 0, rest = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
      const TwoPart next = two_sum(sum, sum_[l]);
      sum = next.value;
      rest += next.rest + rest_[l];
    }
    return Interval::around(sum + rest, sum_error(sum + rest, m, size));
  }

 private:
  std::array<double, lanes> sum_ = {}, rest_ = {};
};

/// sum_i a_i b_i with sum_i |a_i b_i| <= size.
inline Interval inner_product(std::span<const double> a, std::span<const double> b, double size) {
  constexpr std::size_t lanes = 4;
  ProductSum<lanes> sum;
  std::size_t i = 0;
  for (; i + lanes <= a.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sum.add(l, a[i + l], b[i + l]);
  for (; i < a.size(); ++i) sum.add(0, a[i], b[i]);
  return sum.value(static_cast<double>(a.size()), size);
}

/// An upper bound of sum_i |a_i b_i|.
inline double product_size(std::span<const double> a, std::span<const double> b) {
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) size += std::abs(a[i] * b[i]);
  return size * (1 + 1e-6) + 0x1p-1000;
}

inline Interval inner_product(std::span<const double> a, std::span<const double> b) {
  return inner_product(a, b, finite(product_size(a, b)));
}

inline Interval total(std::span<const double> values) {
  IntervalSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

}  // namespace ellzero::verify
