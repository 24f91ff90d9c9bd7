// Whether coefficients in the user's units are allowed at all: finite, in range, within their bounds.
#pragma once

#include <cmath>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/verify.hpp"
#include "verify/sample.hpp"

namespace ellzero::verify {

/// Of coefficients and intercepts: docs/proofs.md, section 2.
inline constexpr double largest_value = 1e100;
/// Of diagonals, which are as large as squares of columns, times weights.
inline constexpr double largest_diagonal = 1e200;

/// More than an objective may lose or gain by terms below the normal numbers.
inline constexpr double underflow = 1e-280;

template <class... Args>
[[noreturn]] void refuse_claim(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::Numerical, fmt::format(text, std::forward<Args>(args)...));
}

/// Throws Error(Numerical) naming what is not.
inline void check_coefficients(const Sample& sample, const Claim& claim) {
  const auto& support = claim.support;
  if (support.size() != claim.coefficients.size())
    refuse_claim("claim: {} features and {} coefficients; expected as many", support.size(), claim.coefficients.size());
  for (std::size_t c = 0; c < support.size(); ++c) {
    if (support[c] < 0 || support[c] >= sample.cols() || (c > 0 && support[c] <= support[c - 1]))
      refuse_claim("claim: feature {}; expected ascending features from 0 to {}", support[c], sample.cols() - 1);
    const double b = claim.coefficients[c], lower = sample.lower(support[c]), upper = sample.upper(support[c]);
    if (!(std::abs(b) <= largest_value) || b < lower || b > upper)
      refuse_claim("feature {}: coefficient is {}; expected a number between {} and {}", support[c], b, lower, upper);
    if (b != 0 && sample.constant(support[c]))
      refuse_claim("feature {}: coefficient is {}; expected 0 for a constant column", support[c], b);
  }
  if (!(std::abs(claim.intercept) <= largest_value) || (!sample.settings().intercept && claim.intercept != 0))
    refuse_claim("intercept: value is {}; expected {}", claim.intercept,
                 sample.settings().intercept ? "a number up to 1e100" : "0, as there is none");
}

}  // namespace ellzero::verify
