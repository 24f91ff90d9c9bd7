// The front door of fit() and prove(): validate, dispatch, run, map everything back to the user's units once.
#include "ellzero/fit.hpp"

#include <fmt/format.h>
#include "ellzero/prove.hpp"

#include "core/stop.hpp"
#include "exact/close_gap.hpp"
#include "fit/dispatch.hpp"
#include "fit/methods.hpp"
#include "fit/models.hpp"

namespace ellzero {
namespace {

/// What prove() asks for beyond fit().
struct Certify {
  ProofSink* sink = nullptr;
};

/// Whether a search for a proof went to its end.
bool is_exhausted(const exact::SearchOutcome& proof, const Certify* certify, core::Stop& stop) {
  return certify != nullptr && !proof.limit && !stop.reason();
}

/// This one and the next return whether a proof has no open node left.
template <class L>
bool fit_price(const problem::Problem<L>& problem, const Settings& settings, const Certify* certify, core::Stop& stop,
               Result& result) {
  auto outcome = solve::Engine(problem, front::chosen_search(settings), stop).run();
  exact::SearchOutcome proof;
  proof.lower_bound = outcome.bound.lower_bound;
  if (certify != nullptr) {
    solve::complete(problem, outcome.bound);
    proof = exact::close_gap(problem, problem, outcome.bound, outcome.best, front::chosen_limits(settings),
                             front::chosen_threads(settings), certify->sink, stop);
  }
  front::set_priced(problem, settings, outcome, proof.lower_bound, stop, result);
  if (proof.limit) result.status = *proof.limit;
  result.nodes = proof.nodes;
  return is_exhausted(proof, certify, stop);
}

template <class L>
bool fit_budget(const problem::Problem<L>& problem, const Settings& settings, const Certify* certify, core::Stop& stop,
                Result& result) {
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
  front::set_budgeted(problem, priced, *settings.k, settings, outcome, proof.lower_bound, result);
  if (proof.limit) result.status = *proof.limit;
  result.nodes = proof.nodes;
  return is_exhausted(proof, certify, stop);
}

Result run(const Dataset& data, const Settings& settings, const Certify* certify, core::Stop& stop) {
  return front::with_problem(data, settings, [&](const auto& problem) {
    Result result;
    const bool exhausted = settings.k ? fit_budget(problem, settings, certify, stop, result)
                                      : fit_price(problem, settings, certify, stop, result);
    front::finish(problem, settings, exhausted, stop.reason(), stop.seconds(), result);
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
