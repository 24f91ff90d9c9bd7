// The parts of a Result that every computation fills.
#include "fit/results.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "loss/all.hpp"

namespace ellzero::front {
namespace {

/// Why a gap is not as small as was asked for, where that is not because something ended the computation.
template <class L>
void note_floor(const problem::Problem<L>& problem, const Settings& settings, bool exhausted, Result& result) {
  if (result.relative_gap <= settings.gap) return;
  if (result.relative_gap <= rounding_floor) {
    result.notes.push_back(
        fmt::format("gap: value is {}, below rounding; stopped at the floor, a relative gap of {:.2g}", settings.gap,
                    result.relative_gap));
    return;
  }
  if (!exhausted || !std::isfinite(result.relative_gap)) return;
  const double nothing = problem::objective(problem, problem::predictor(problem, {}), {});  // without any feature
  const bool rounded = result.gap <= rounding_floor * nothing || !problem.penalty.may_need_scaling();
  result.notes.push_back(
      fmt::format("gap: value is {}; nothing is left to look at, and {} leaves a relative gap of {:.2g}", settings.gap,
                  rounded ? "rounding" : "lambda2 = 0", result.relative_gap));
}

}  // namespace

solve::SearchSettings chosen_search(const Settings& settings) {
  const solve::Effort effort = settings.effort == "quick"      ? solve::Effort::Quick
                               : settings.effort == "thorough" ? solve::Effort::Thorough
                                                               : solve::Effort::Default;
  return {effort, static_cast<std::uint64_t>(settings.seed)};
}

exact::tree::SearchLimits chosen_limits(const Settings& settings) {
  exact::tree::SearchLimits limits{settings.gap};
  if (settings.node_limit) limits.nodes = *settings.node_limit;
  if (settings.memory_limit) limits.bytes = static_cast<std::size_t>(*settings.memory_limit * 0x1p20);
  return limits;
}

void set_bounds(double objective, double lower_bound, Result& result) {
  if (!std::isfinite(objective))
    throw Error(ErrorCode::Numerical, fmt::format("the objective is {}; rescale X, y or lambda", objective));
  result.objective = objective;
  if (std::isfinite(lower_bound)) lower_bound = std::max(0.0, lower_bound);  // losses and penalties are not negative
  result.lower_bound = std::min(objective, lower_bound);                     // the objective is rounded, too
  result.gap = result.objective - result.lower_bound;
  result.relative_gap = result.gap / std::max(std::abs(objective), std::numeric_limits<double>::min());
}

template <class L>
void note_separation(const problem::Problem<L>& problem, std::span<const double> u, Result& result) {
  bool separated =
      problem.loss.classifies && problem.penalty.lambdas().lambda1 == 0 && problem.penalty.may_need_scaling();
  for (std::size_t i = 0; i < u.size() && separated; ++i)
    separated = u[i] * problem.loss.derivative(0, problem.y[i]) < 0;  // on its own side
  if (separated)
    result.notes.emplace_back(
        "the classes are separated perfectly: without lambda1, lambda2 or bounds there is no best "
        "size of the coefficients; they were stopped at a finite one");
}

template <class L>
void describe(const problem::Problem<L>& problem, const Settings& settings, Result& result) {
  result.lambda1 = problem.penalty.lambdas().lambda1;
  result.lambda2 = problem.penalty.lambdas().lambda2;
  result.loss = settings.loss;
  result.n = problem.features.rows();
  result.p = problem.features.cols();
  result.threads = chosen_threads(settings);
  auto& notes = result.notes;
  Index constant = 0;
  for (Index j = 0; j < problem.features.cols(); ++j) constant += problem.features.scale(j) == 0 ? 1 : 0;
  if (constant > 0) notes.push_back(fmt::format("{} constant column{} left out", constant, constant == 1 ? "" : "s"));
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < result.support.size(); ++c) {
    const Index j = result.support[c];
    const double b = result.coefficients[c];
    if (b == bound_of(settings.lower, j, -inf) || b == bound_of(settings.upper, j, inf))
      notes.push_back(fmt::format("feature {} is at its bound, {}", j, b));
  }
}

void note_rounding(double exact, const Settings& settings, Result& result) {
  const double size = std::max(std::abs(exact), std::numeric_limits<double>::min());
  const double cost = (result.objective - exact) / size, gap_before = (exact - result.lower_bound) / size;
  const bool holds_gap_open = result.relative_gap > settings.gap && gap_before <= settings.gap;
  if (cost > rounding_floor && (cost > settings.gap || holds_gap_open))
    result.notes.push_back(fmt::format(
        "coefficients and intercept, rounded to double, cost {} the objective: X, y or offset is too far from "
        "0 for its spread; subtract a constant",
        cost < 1 ? fmt::format("{:.2g} of", cost) : "more than all else in"));
}

template <class L>
void finish(const problem::Problem<L>& problem, const Settings& settings, bool exhausted, std::optional<Status> limit,
            double seconds, Result& result) {
  if (limit) result.status = *limit;
  if (result.relative_gap <= (exhausted ? std::max(settings.gap, rounding_floor) : settings.gap))
    result.status = Status::Optimal;
  describe(problem, settings, result);
  note_floor(problem, settings, exhausted, result);
  result.seconds = seconds;
}

#define INSTANTIATE(L)                                                                                          \
  template void note_separation(const problem::Problem<L>& problem, std::span<const double> u, Result& result); \
  template void describe(const problem::Problem<L>& problem, const Settings& settings, Result& result);         \
  template void finish(const problem::Problem<L>& problem, const Settings& settings, bool exhausted,            \
                       std::optional<Status> limit, double seconds, Result& result);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
