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
#include "fit/methods.hpp"
#include "fit/results.hpp"
#include "fit/units.hpp"
#include "screening/verdicts.hpp"
#include "select/budget.hpp"
#include "solve/engine.hpp"
#include "solve/ties.hpp"

namespace ellzero {
namespace {

/// What prove() asks for beyond fit().
struct Certify {
  ProofSink* sink = nullptr;
};

template <class P>
void fit_price(const P& problem, const Settings& settings, const Certify* certify, core::Stop& stop, Result& result) {
  auto outcome = solve::Engine(problem, front::chosen_search(settings), stop).run();
  // No feature is ruled out while the gap is a whole lambda0 (6.1): then tau need not be known everywhere.
  if (certify != nullptr || outcome.best.objective - outcome.bound.lower_bound < problem.penalty.lambdas().lambda0)
    solve::complete(problem, outcome.bound);
  exact::SearchOutcome proof;
  proof.lower_bound = outcome.bound.lower_bound;
  if (certify != nullptr)
    proof = exact::close_gap(problem, problem, outcome.bound, outcome.best, front::chosen_limits(settings),
                             front::chosen_threads(settings), certify->sink, stop);
  solve::prefer_lowest_index(problem, outcome.bound.tau, outcome.best);
  front::set_bounds(outcome.best.objective, std::max(proof.lower_bound, outcome.bound.lower_bound), result);
  front::to_user_units(problem, settings, outcome.best.beta, result);
  result.verdicts = screening::verdicts(problem, outcome.bound.tau, outcome.bound.alpha_norm, outcome.bound.dual_value,
                                        outcome.best.objective);
  front::note_separation(problem, outcome.best.u, result);
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
  auto outcome = select::Budget(problem, *settings.k, front::chosen_search(settings), stop).run();
  const auto priced = select::at_price(problem, outcome.lambda0);
  exact::SearchOutcome proof;
  proof.lower_bound = outcome.lower_bound;
  if (certify != nullptr) {
    auto limits = front::chosen_limits(settings);
    limits.budget = exact::Budget{*settings.k, outcome.lambda0};
    proof = exact::close_gap(priced, problem, outcome.relaxed, outcome.best, limits, front::chosen_threads(settings),
                             certify->sink, stop);
  }
  solve::prefer_lowest_index(problem, outcome.relaxed.tau, outcome.best);
  front::set_bounds(outcome.best.objective, std::max(proof.lower_bound, outcome.lower_bound), result);
  front::to_user_units(problem, settings, outcome.best.beta, result);
  // At any price, P + lambda0 (|b|_0 - k) is no more than P within the budget: the penalised rules apply.
  result.verdicts =
      screening::verdicts(priced, outcome.relaxed.tau, outcome.relaxed.alpha_norm, outcome.relaxed.dual_value,
                          outcome.best.objective + outcome.lambda0 * static_cast<double>(*settings.k));
  front::note_separation(problem, outcome.best.u, result);
  result.k = settings.k;
  result.sweeps = outcome.sweeps;
  result.iterations = outcome.searches;
  result.status = proof.limit.value_or(Status::CoordinateOptimal);
  result.nodes = proof.nodes;
}

Result run(const Dataset& data, const Settings& settings, const Certify* certify, core::Stop& stop) {
  return front::with_problem(data, settings, [&](const auto& problem) {
    Result result;
    if (settings.k) fit_budget(problem, settings, certify, stop, result);
    else fit_price(problem, settings, certify, stop, result);
    const double closed = certify != nullptr && !stop.reason() ? exact::least_gap : 0;  // a proof goes no further
    front::finish(problem, settings, closed, stop, result);
    return result;
  });
}

}  // namespace

Result fit(const Dataset& data, const Settings& settings, Observer* observer) {
  if (settings.method != "engine") {
    core::Stop stop(settings.time_limit.value_or(front::method_time_limit), observer);
    return front::fit_by_method(data, settings, stop);
  }
  core::Stop stop(settings.time_limit, observer);
  return run(data, settings, nullptr, stop);
}

Result prove(const Dataset& data, const Settings& settings, Observer* observer, ProofSink* sink) {
  if (settings.method != "engine")
    throw Error(ErrorCode::Usage,
                fmt::format("method: value is {}; expected engine: a proof begins with its solution", settings.method));
  core::Stop stop(settings.time_limit, observer);
  const Certify certify{sink};
  return run(data, settings, &certify, stop);
}

}  // namespace ellzero
