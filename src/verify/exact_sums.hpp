// Sums that do not lose digits, of numbers and of products, and know how far off they may be.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "core/compensated_sum.hpp"
#include "core/rounding.hpp"

namespace ellzero::verify {

/// Adds a b without the rounding of the product.
inline void add_product(core::CompensatedSum& sum, double a, double b) {
  const double product = a * b;
  sum.add(product);
  if (std::isfinite(product)) sum.add(std::fma(a, b, -product));
}

/// A sum whose terms may be off; `below` is not above the exact sum of the exact terms.
class BoundedSum {
 public:
  void add(double term, double error = 0) {
    sum_.add(term);
    size_ += std::abs(term);
    error_ += error;
    ++terms_;
  }
  /// a b, of which the product is exact
  void add_product(double a, double b, double error = 0) {
    const double product = a * b;
    add(product, error);
    if (std::isfinite(product)) add(std::fma(a, b, -product));
  }
  [[nodiscard]] double value() const { return sum_.value(); }
  /// What is left of the terms' own errors, a last rounding, and the second order of compensated sums.
  [[nodiscard]] double error() const {
    const double second_order = 2 * terms_ * terms_ * core::unit_roundoff * core::unit_roundoff * size_;
    return (error_ + 2 * core::unit_roundoff * std::abs(value()) + second_order) * (1 + 1e-6);
  }
  [[nodiscard]] double below() const { return value() - error(); }

 private:
  core::CompensatedSum sum_;
  double size_ = 0, error_ = 0, terms_ = 0;
};

inline double total(std::span<const double> values) {
  core::CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

/// sum_i a_i b_i: products are rounded once each, their sum is compensated. Four sums side by side keep a processor
/// busy.
inline double inner_product(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t lanes = 4;
  double sum[lanes] = {}, lost[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= a.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double product = a[i + l] * b[i + l];
      const double next = sum[l] + product;
      const double added = next - sum[l];  // what of the product arrived
      lost[l] += (sum[l] - (next - added)) + (product - added);
      sum[l] = next;
    }
  core::CompensatedSum result;
  for (; i < a.size(); ++i) result.add(a[i] * b[i]);
  for (std::size_t l = 0; l < lanes; ++l) {
    result.add(sum[l]);
    result.add(lost[l]);
  }
  return result.value();
}

}  // namespace ellzero::verify
