// Information criteria: the fit of a model to all samples plus a price for each of its parameters.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "ellzero/dataset.hpp"
#include "loss/contract.hpp"

namespace ellzero::select {

/// What a criterion looks at.
struct FitSummary {
  double loss;         ///< sum_i w_i l(u_i, y_i), with weights that sum to n
  double samples;      ///< n
  double target_size;  ///< sum_i w_i (y_i - o_i)^2
  Index features;      ///< p
  Index nonzeros;
  bool intercept;
};

/// Twice the negative log-likelihood, up to a constant (12.5).
template <loss::Loss L>
double misfit(const FitSummary& fit) {
  if (L::classifies) return 2 * fit.loss;
  // Residuals within rounding of the targets are all the same: a perfect fit.
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const double floor = std::max(rounding * rounding * fit.target_size, std::numeric_limits<double>::min());
  return fit.samples * std::log(std::max(2 * fit.loss, floor) / fit.samples);  // (12.5)
}

/// The loss that has this misfit.
template <loss::Loss L>
double loss_at(double misfit, double samples) {
  return 0.5 * (L::classifies ? misfit : samples * std::exp(misfit / samples));
}

/// The price of the model's parameters (12.6).
inline double price(std::string_view criterion, const FitSummary& fit) {
  const double parameters = static_cast<double>(fit.nonzeros) + (fit.intercept ? 1 : 0);
  const double n = fit.samples;
  const auto p = static_cast<double>(fit.features), s = static_cast<double>(fit.nonzeros);
  if (criterion == "aic") return 2 * parameters;
  if (criterion == "gic") return std::log(p) * std::log(std::log(std::max(n, std::exp(1.0)))) * parameters;
  const double bic = std::log(std::max(n, 1.0)) * parameters;
  if (criterion == "bic") return bic;
  return bic + 2 * (std::lgamma(p + 1) - std::lgamma(s + 1) - std::lgamma(p - s + 1));  // (12.6)
}

/// Smaller is better; infinite for a squared-loss model with as many parameters as samples, which can fit anything.
template <loss::Loss L>
double criterion(std::string_view name, const FitSummary& fit) {
  const double parameters = static_cast<double>(fit.nonzeros) + (fit.intercept ? 1 : 0);
  if (!L::classifies && parameters >= fit.samples && fit.nonzeros > 0) return std::numeric_limits<double>::infinity();
  return misfit<L>(fit) + price(name, fit);  // (12.4)
}

}  // namespace ellzero::select
