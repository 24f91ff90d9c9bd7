// The objective of a claim from its definition, and the bound that its own coefficients prove.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/verify.hpp"
#include "verify/coefficients.hpp"
#include "verify/dual_vector.hpp"
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

/// What a loss is a function of, see loss_value: products and sums are exact, and rounded once.
std::vector<Interval> loss_arguments(const Sample& sample, const Claim& claim) {
  const std::size_t n = sample.y().size();
  const bool squared = std::holds_alternative<loss::Squared>(sample.loss());
  const bool hinge = std::holds_alternative<loss::SmoothedHinge>(sample.loss());
  const auto sign = [&](std::size_t i) { return hinge && sample.y()[i] > 0 ? -1.0 : 1.0; };
  std::vector<verify::ExactSum> sums(n);
  for (std::size_t i = 0; i < n; ++i) {
    sums[i].add(sign(i) * claim.intercept);
    sums[i].add(sign(i) * sample.offset()[i]);
    if (squared) sums[i].add(-sample.y()[i]);
    if (hinge) sums[i].add(1);
  }
  for (std::size_t c = 0; c < claim.support.size(); ++c)
    if (const double b = claim.coefficients[c]; b != 0)
      sample.for_each_entry(claim.support[c], [&](Index row, double x) {
        const auto i = static_cast<std::size_t>(row);
        sums[i].add_product(sign(i) * b, x);
      });
  std::vector<Interval> arguments;
  arguments.reserve(n);
  for (const verify::ExactSum& sum : sums) arguments.push_back(sum.value());
  return arguments;
}

/// P from its definition, in the units that the settings say. (1.1), (1.2)
Interval objective_of(const Sample& sample, const Claim& claim, std::span<const Interval> at) {
  verify::IntervalSum sum;
  for (std::size_t i = 0; i < at.size(); ++i)
    sum.add(Interval(sample.weights()[i]) * loss_value(sample.loss(), at[i], sample.y()[i]));
  sum.add(Interval(static_cast<double>(features_in(sample, claim))) * sample.lambda0());
  for (std::size_t c = 0; c < claim.support.size(); ++c) {
    if (claim.coefficients[c] == 0) continue;
    const Interval b = Interval(claim.coefficients[c]) / sample.scale(claim.support[c]);
    sum.add(magnitude(b) * sample.lambda1());
    sum.add(square(b) * sample.lambda2());
  }
  return sum.value();
}

double target_norm(const Sample& sample) {
  double squares = 0;
  for (std::size_t i = 0; i < sample.y().size(); ++i)
    squares += sample.weights()[i] * sample.target()[i] * sample.target()[i];
  return std::sqrt(squares);
}

}  // namespace

Claim claim_of(const Result& result) {
  const auto& penalised = result.penalised;
  return {result.objective, result.lower_bound, penalised ? penalised->intercept : result.intercept, result.support,
          penalised ? penalised->coefficients : result.coefficients};
}

double verify_objective(const Dataset& data, const Settings& settings, const Claim& claim) {
  const Sample sample(data, settings);
  verify::check_coefficients(sample, claim);
  const auto at = loss_arguments(sample, claim);
  const Interval objective = objective_of(sample, claim, at);
  const double share = claim_tolerance * std::max(0.0, objective.lo), allowed = share + verify::underflow;
  if (!(objective.hi - objective.lo <= allowed))
    verify::refuse_claim("objective: cannot be told to a relative {:g}; the coefficients have {} to {}",
                         claim_tolerance, objective.lo, objective.hi);
  if (!(claim.objective >= objective.hi - allowed && claim.objective <= objective.lo + allowed))
    verify::refuse_claim("objective: {} is claimed; the coefficients have {} to {}", claim.objective,
                         std::max(0.0, objective.lo), objective.hi);
  if (!(claim.lower_bound <= objective.lo + allowed))
    verify::refuse_claim("lower_bound: {} is claimed; the coefficients have the objective {}", claim.lower_bound,
                         objective.hi);
  return std::max(0.0, 0.5 * objective.lo + 0.5 * objective.hi);
}

double own_lower_bound(const Dataset& data, const Settings& settings, const Claim& claim) {
  ProofCheck check(data, settings);
  check.on_claim(claim);
  return check.lower_bound();
}

bool digits_matter(const Dataset& data, const Settings& settings, const Claim& claim) {
  const Sample sample(data, settings);
  verify::check_coefficients(sample, claim);
  std::vector<double> values;
  for (std::size_t c = 0; c < claim.support.size(); ++c) {
    const Index j = claim.support[c];
    values.push_back(sample.constant(j) ? 0 : claim.coefficients[c] / sample.scale(j).lo);
  }
  double cost = verify::cost_of_offset(sample) + verify::cost_of_digits(sample, {0, 0, claim.support, values, {}, {}});
  const double size = target_norm(sample);
  if (!settings.intercept) {  // points between models have larger coefficients, where columns share a mean
    for (Index j = 0; j < sample.cols(); ++j) {
      const double b = settings.standardize ? size : 1;
      cost = std::max(cost, verify::cost_of_digits(sample, {0, 0, {&j, 1}, {&b, 1}, {}, {}}));
    }
  }
  return cost > verify::no_matter * std::abs(claim.objective);
}

}  // namespace ellzero
