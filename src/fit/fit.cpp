// The front door of fit() and prove(): validate, dispatch, run, map everything back to the user's units once.
#include "ellzero/fit.hpp"
#include "ellzero/prove.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/stop.hpp"
#include "exact/close_gap.hpp"
#include "fit/dispatch.hpp"
#include "fit/units.hpp"
#include "screening/verdicts.hpp"
#include "select/budget.hpp"
#include "solve/engine.hpp"
#include "solve/ties.hpp"

namespace ellzero {
namespace {

solve::LocalSearch chosen_search(const Settings& settings) {
  const solve::Effort effort = settings.effort == "quick"      ? solve::Effort::Quick
                               : settings.effort == "thorough" ? solve::Effort::Thorough
                                                               : solve::Effort::Default;
  return {effort, static_cast<std::uint64_t>(settings.seed)};
}

void set_bounds(double objective, double lower_bound, Result& result) {
  if (!std::isfinite(objective))
    throw Error(ErrorCode::Numerical, fmt::format("the objective is {}; rescale X, y or lambda", objective));
  result.objective = objective;
  result.lower_bound = std::min(objective, lower_bound);  // the objective is rounded, too
  result.gap = result.objective - result.lower_bound;
  result.relative_gap = result.gap / std::max(std::abs(objective), std::numeric_limits<double>::min());
}

/// Without any penalty on their size, and without bounds, coefficients that separate two classes could grow for ever.
template <class P>
void note_separation(const P& problem, std::span<const double> u, Result& result) {
  bool separated =
      problem.loss.classifies && problem.penalty.lambdas().lambda1 == 0 && problem.penalty.may_need_scaling();
  for (std::size_t i = 0; i < u.size() && separated; ++i)
    separated = u[i] * problem.loss.derivative(0, problem.y[i]) < 0;  // on its own side
  if (separated)
    result.notes.emplace_back(
        "the classes are separated perfectly: without lambda1, lambda2 or bounds there is no best "
        "size of the coefficients; they were stopped at a finite one");
}

/// What prove() asks for beyond fit().
struct Certify {
  ProofSink* sink = nullptr;
};

exact::SearchLimits chosen_limits(const Settings& settings) {
  exact::SearchLimits limits{settings.gap};
  if (settings.node_limit) limits.nodes = *settings.node_limit;
  if (settings.memory_limit) limits.bytes = static_cast<std::size_t>(*settings.memory_limit * 0x1p20);
  return limits;
}

template <class P>
void fit_price(const P& problem, const Settings& settings, const Certify* certify, core::Stop& stop, Result& result) {
  auto outcome = solve::Engine(problem, chosen_search(settings), stop).run();
  exact::SearchOutcome proof;
  proof.lower_bound = outcome.bound.lower_bound;
  if (certify != nullptr)
    proof = exact::close_gap(problem, problem, outcome.bound, outcome.best, chosen_limits(settings),
                             front::chosen_threads(settings), certify->sink, stop);
  solve::prefer_lowest_index(problem, outcome.bound.tau, outcome.best);
  set_bounds(outcome.best.objective, std::max(proof.lower_bound, outcome.bound.lower_bound), result);
  front::to_user_units(problem, settings, outcome.best.beta, result);
  result.verdicts = screening::verdicts(problem, outcome.bound.tau, outcome.bound.alpha_norm, outcome.bound.dual_value,
                                        outcome.best.objective);
  note_separation(problem, outcome.best.u, result);
  result.lambda0 = settings.lambda0;
  result.sweeps = outcome.bound.sweeps;
  result.iterations = outcome.bound.rounds + outcome.searches;
  result.status = outcome.swap_optimal         ? Status::SwapOptimal
                  : outcome.coordinate_optimal ? Status::CoordinateOptimal
                                               : Status::IterationLimit;
  if (proof.limit) result.status = *proof.limit;
  result.nodes = proof.nodes;
}

template <class P>
void fit_budget(const P& problem, const Settings& settings, const Certify* certify, core::Stop& stop, Result& result) {
  auto outcome = select::Budget(problem, *settings.k, chosen_search(settings), stop).run();
  auto priced = problem;
  const auto& lambdas = problem.penalty.lambdas();
  priced.penalty = problem.penalty.with({outcome.lambda0, lambdas.lambda1, lambdas.lambda2});
  exact::SearchOutcome proof;
  proof.lower_bound = outcome.lower_bound;
  if (certify != nullptr) {
    auto limits = chosen_limits(settings);
    limits.budget = exact::Budget{*settings.k, outcome.lambda0};
    proof = exact::close_gap(priced, problem, outcome.relaxed, outcome.best, limits, front::chosen_threads(settings),
                             certify->sink, stop);
  }
  solve::prefer_lowest_index(problem, outcome.relaxed.tau, outcome.best);
  set_bounds(outcome.best.objective, std::max(proof.lower_bound, outcome.lower_bound), result);
  front::to_user_units(problem, settings, outcome.best.beta, result);
  // At any price, P + lambda0 (|b|_0 - k) is no more than P within the budget: the penalised rules apply.
  result.verdicts =
      screening::verdicts(priced, outcome.relaxed.tau, outcome.relaxed.alpha_norm, outcome.relaxed.dual_value,
                          outcome.best.objective + outcome.lambda0 * static_cast<double>(*settings.k));
  note_separation(problem, outcome.best.u, result);
  result.k = settings.k;
  result.sweeps = outcome.sweeps;
  result.iterations = outcome.searches;
  result.status = proof.limit.value_or(Status::CoordinateOptimal);
  result.nodes = proof.nodes;
}

template <class P>
void add_notes(const P& problem, const Settings& settings, Result& result) {
  auto& notes = result.notes;
  Index constant = 0;
  for (Index j = 0; j < problem.features.cols(); ++j) constant += problem.features.scale(j) == 0 ? 1 : 0;
  if (constant > 0) notes.push_back(fmt::format("{} constant column{} left out", constant, constant == 1 ? "" : "s"));
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < result.support.size(); ++c) {
    const Index j = result.support[c];
    const double b = result.coefficients[c];
    if (b == front::bound_of(settings.lower, j, -inf) || b == front::bound_of(settings.upper, j, inf))
      notes.push_back(fmt::format("feature {} is at its bound, {}", j, b));
  }
}

/// A gap that is closed but for rounding is as small as it gets, whatever was asked for.
void note_floor(const Settings& settings, Result& result) {
  if (result.relative_gap > settings.gap && result.relative_gap <= solve::RelaxedSettings{}.tolerance)
    result.notes.push_back(
        fmt::format("gap: value is {}, below rounding; stopped at the floor, a relative gap of {:.2g}", settings.gap,
                    result.relative_gap));
}

}  // namespace

namespace {

Result run(const Dataset& data, const Settings& settings, const Certify* certify, Observer* observer) {
  core::Stop stop(settings.time_limit, observer);
  return front::with_problem(data, settings, [&](const auto& problem) {
    Result result;
    if (settings.k) fit_budget(problem, settings, certify, stop, result);
    else fit_price(problem, settings, certify, stop, result);
    if (stop.reason()) result.status = *stop.reason();
    const double closed = certify != nullptr && !stop.reason() ? exact::least_gap : 0;  // a proof goes no further
    if (result.relative_gap <= std::max(settings.gap, closed)) result.status = Status::Optimal;
    result.lambda1 = problem.penalty.lambdas().lambda1;
    result.lambda2 = problem.penalty.lambdas().lambda2;
    result.loss = settings.loss;
    result.n = problem.features.rows();
    result.p = problem.features.cols();
    result.threads = front::chosen_threads(settings);
    add_notes(problem, settings, result);
    note_floor(settings, result);
    result.seconds = stop.seconds();
    return result;
  });
}

}  // namespace

Result fit(const Dataset& data, const Settings& settings, Observer* observer) {
  return run(data, settings, nullptr, observer);
}

Result prove(const Dataset& data, const Settings& settings, Observer* observer, ProofSink* sink) {
  const Certify certify{sink};
  return run(data, settings, &certify, observer);
}

}  // namespace ellzero
