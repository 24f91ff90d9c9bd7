// Sums that do not lose digits, of numbers and of products.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "core/compensated_sum.hpp"

namespace ellzero::verify {

/// Adds a b without the rounding of the product.
inline void add_product(core::CompensatedSum& sum, double a, double b) {
  const double product = a * b;
  sum.add(product);
  if (std::isfinite(product)) sum.add(std::fma(a, b, -product));
}

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
