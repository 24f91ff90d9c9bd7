// The objective of a claim from its definition, and the bound that its own coefficients prove.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/verify.hpp"
#include "verify/coefficients.hpp"
#include "verify/exact_sums.hpp"
#include "verify/losses.hpp"
#include "verify/sample.hpp"

namespace ellzero {
namespace {

using verify::Interval;
using verify::Sample;

/// The features that are paid for: those that are used, and those that are always in.
Index features_in(const Sample& sample, const Claim& claim) {
  std::vector<bool> listed(static_cast<std::size_t>(sample.cols()), false), in = listed;
  for (std::size_t c = 0; c < claim.support.size(); ++c) {
    listed[claim.support[c]] = true;
    in[claim.support[c]] = claim.coefficients[c] != 0;
  }
  for (Index j = 0; j < sample.cols(); ++j) {
    if (!sample.always(j)) continue;
    if (!listed[j] && !sample.constant(j)) verify::refuse_claim("feature {}: is always in; the claim leaves it out", j);
    in[j] = true;
  }
  const Index count = std::count(in.begin(), in.end(), true);
  if (sample.settings().k && count > *sample.settings().k)
    verify::refuse_claim("claim: uses {} features; expected at most {}", count, *sample.settings().k);
  return count;
}

/// u_i, less y_i for squared loss. All terms are added up in twice the working precision.
std::vector<Interval> predictor(const Sample& sample, const Claim& claim) {
  const std::size_t n = sample.y().size();
  const bool squared = std::holds_alternative<loss::Squared>(sample.loss());
  std::vector<double> sum(n, claim.intercept), rest(n, 0.0), size(n, std::abs(claim.intercept));
  const auto add = [&](std::size_t i, const verify::TwoPart& term) {
    const verify::TwoPart next = verify::two_sum(sum[i], term.value);
    sum[i] = next.value;
    rest[i] += next.rest + term.rest;
    size[i] += std::abs(term.value);
  };
  for (std::size_t i = 0; i < n; ++i) {
    add(i, {sample.offset()[i], 0});
    if (squared) add(i, {-sample.y()[i], 0});
  }
  for (std::size_t c = 0; c < claim.support.size(); ++c) {
    const double b = claim.coefficients[c];
    sample.for_each_entry(claim.support[c],
                          [&](Index i, double x) { add(static_cast<std::size_t>(i), verify::two_product(b, x)); });
  }
  std::vector<Interval> u;
  for (std::size_t i = 0; i < n; ++i) {
    const double computed = sum[i] + rest[i], terms = static_cast<double>(claim.support.size() + 3);
    u.push_back(Interval::around(computed, verify::sum_error(computed, terms, size[i] * (1 + 1e-6))));
  }
  return u;
}

/// P from its definition, in the units that the settings say. (1.1), (1.2)
Interval objective_of(const Sample& sample, const Claim& claim) {
  verify::IntervalSum sum;
  const auto u = predictor(sample, claim);
  for (std::size_t i = 0; i < u.size(); ++i)
    sum.add(Interval(sample.weights()[i]) * loss_value(sample.loss(), u[i], sample.y()[i]));
  sum.add(Interval(static_cast<double>(features_in(sample, claim))) * sample.lambda0());
  for (std::size_t c = 0; c < claim.support.size(); ++c) {
    if (claim.coefficients[c] == 0) continue;
    const Interval b = Interval(claim.coefficients[c]) / sample.scale(claim.support[c]);
    sum.add(magnitude(b) * sample.lambda1());
    sum.add(square(b) * sample.lambda2());
  }
  return sum.value();
}

}  // namespace

double verify_objective(const Dataset& data, const Settings& settings, const Claim& claim) {
  const Sample sample(data, settings);
  verify::check_coefficients(sample, claim);
  const Interval objective = objective_of(sample, claim);
  const double middle = std::max(0.0, 0.5 * objective.lo + 0.5 * objective.hi);
  const double allowed = claim_tolerance * middle;
  if (!(claim.objective >= objective.lo - allowed && claim.objective <= objective.hi + allowed))
    verify::refuse_claim("objective: {} is claimed; the coefficients have {}", claim.objective, middle);
  if (!(claim.lower_bound <= objective.hi + allowed))
    verify::refuse_claim("lower_bound: {} is claimed; the coefficients have the objective {}", claim.lower_bound,
                         middle);
  return middle;
}

double own_lower_bound(const Dataset& data, const Settings& settings, const Claim& claim) {
  ProofCheck check(data, settings);
  check.on_claim(claim);
  return check.lower_bound();
}

}  // namespace ellzero
