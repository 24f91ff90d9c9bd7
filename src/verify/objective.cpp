// The objective of a claim from its definition, and the bound that its own coefficients prove.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/verify.hpp"
#include "verify/exact_sums.hpp"
#include "verify/sample.hpp"

namespace ellzero {
namespace {

using verify::Sample;

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::Numerical, fmt::format(text, std::forward<Args>(args)...));
}

void check_coefficients(const Sample& sample, const Claim& claim) {
  const auto& support = claim.support;
  if (support.size() != claim.coefficients.size())
    fail("claim: {} features and {} coefficients; expected as many", support.size(), claim.coefficients.size());
  for (std::size_t c = 0; c < support.size(); ++c) {
    if (support[c] < 0 || support[c] >= sample.cols() || (c > 0 && support[c] <= support[c - 1]))
      fail("claim: feature {}; expected ascending features from 0 to {}", support[c], sample.cols() - 1);
    const double b = claim.coefficients[c];
    const auto [lo, hi] = sample.box(support[c]);
    if (!std::isfinite(b) || b < lo || b > hi)
      fail("feature {}: coefficient is {}; expected a number between {} and {}", support[c], b, lo, hi);
    if (b != 0 && sample.scale(support[c]) == 0)
      fail("feature {}: coefficient is {}; expected 0 for a constant column", support[c], b);
  }
  if (!std::isfinite(claim.intercept) || (!sample.settings().intercept && claim.intercept != 0))
    fail("intercept: value is {}; expected {}", claim.intercept,
         sample.settings().intercept ? "a finite number" : "0, as there is none");
}

/// sum_i w_i l(u_i, y_i) (1.1)
double loss_of(const Sample& sample, std::span<const double> linear) {
  core::CompensatedSum sum;
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < linear.size(); ++i)
          verify::add_product(sum, sample.weights()[i], loss.value(linear[i] + sample.offset()[i], sample.y()[i]));
      },
      sample.loss());
  return sum.value();
}

/// sum_j g_j, in the units that the settings say (1.2)
double penalty_of(const Sample& sample, const Claim& claim) {
  core::CompensatedSum sum;
  Index used = static_cast<Index>(
      std::count_if(claim.coefficients.begin(), claim.coefficients.end(), [](double b) { return b != 0; }));
  if (sample.settings().k && used > *sample.settings().k)
    fail("claim: uses {} features; expected at most {}", used, *sample.settings().k);
  for (Index j = 0; j < sample.cols(); ++j) {
    const auto at = std::lower_bound(claim.support.begin(), claim.support.end(), j);
    const bool present = at != claim.support.end() && *at == j && claim.coefficients[at - claim.support.begin()] != 0;
    if (sample.always(j) && !present) ++used;  // pays for its place all the same
  }
  sum.add(sample.lambda0() * static_cast<double>(used));
  for (std::size_t c = 0; c < claim.support.size(); ++c) {
    if (claim.coefficients[c] == 0) continue;
    const double b = claim.coefficients[c] / sample.scale(claim.support[c]);
    sum.add(sample.settings().lambda1 * std::abs(b));
    sum.add(*sample.settings().lambda2 * b * b);
  }
  return sum.value();
}

}  // namespace

double verify_objective(const Dataset& data, const Settings& settings, const Claim& claim) {
  const Sample sample(data, settings);
  check_coefficients(sample, claim);
  const double objective =
      loss_of(sample, sample.linear(claim.intercept, claim.support, claim.coefficients)) + penalty_of(sample, claim);
  // Where everything is explained only rounding is left; it is of the size of the targets.
  const double nothing_used = loss_of(sample, std::vector<double>(sample.y().size(), 0.0));
  const double allowed = claim_tolerance * std::abs(objective) + 1e-15 * nothing_used;
  if (!(std::abs(objective - claim.objective) <= allowed))
    fail("objective: {} is claimed; the coefficients have {}", claim.objective, objective);
  if (!(claim.lower_bound <= objective + allowed))
    fail("lower_bound: {} is claimed; the coefficients have the objective {}", claim.lower_bound, objective);
  return objective;
}

double own_lower_bound(const Dataset& data, const Settings& settings, const Claim& claim) {
  const Sample sample(data, settings);
  check_coefficients(sample, claim);
  std::vector<double> values;
  core::CompensatedSum intercept;
  intercept.add(claim.intercept);
  for (std::size_t c = 0; c < claim.support.size(); ++c) {
    const double scale = sample.scale(claim.support[c]);
    values.push_back(scale == 0 ? 0 : claim.coefficients[c] / scale);
    verify::add_product(intercept, claim.coefficients[c], sample.mean(claim.support[c]));
  }
  ProofCheck check(data, settings);
  check.on_point({0, intercept.value(), claim.support, values, {}, {}});
  return check.lower_bound();
}

}  // namespace ellzero
