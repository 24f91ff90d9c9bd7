// The front door of fit(): validate, dispatch, run the engine, map everything back to the user's units once.
#include "ellzero/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/stop.hpp"
#include "fit/dispatch.hpp"
#include "fit/units.hpp"
#include "screening/verdicts.hpp"
#include "solve/engine.hpp"

namespace ellzero {
namespace {

solve::EngineSettings engine_settings(const Settings& settings) {
  const solve::Effort effort = settings.effort == "quick"      ? solve::Effort::Quick
                               : settings.effort == "thorough" ? solve::Effort::Thorough
                                                               : solve::Effort::Default;
  return {effort, static_cast<std::uint64_t>(settings.seed), settings.gap};
}

Status status_of(const Result& result, const solve::EngineOutcome& outcome, const Settings& settings,
                 const core::Stop& stop) {
  if (result.relative_gap <= settings.gap) return Status::Optimal;
  if (stop.reason()) return *stop.reason();
  if (outcome.swap_optimal) return Status::SwapOptimal;
  return outcome.coordinate_optimal ? Status::CoordinateOptimal : Status::IterationLimit;
}

template <class P>
std::vector<std::string> notes_on(const P& problem, const Result& result, const Settings& settings) {
  std::vector<std::string> notes;
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
  return notes;
}

}  // namespace

Result fit(const Dataset& data, const Settings& settings, Observer* observer) {
  core::Stop stop(settings.time_limit, observer);
  return front::with_problem(data, settings, [&](const auto& problem) {
    solve::Engine engine(problem, engine_settings(settings), stop);
    const solve::EngineOutcome outcome = engine.run();
    Result result;
    result.objective = outcome.best.objective;
    if (!std::isfinite(result.objective))
      throw Error(ErrorCode::Numerical, fmt::format("the objective is {}; rescale X, y or lambda", result.objective));
    result.lower_bound = std::min(result.objective, outcome.bound.lower_bound);
    result.gap = result.objective - result.lower_bound;
    result.relative_gap = result.gap / std::max(std::abs(result.objective), std::numeric_limits<double>::min());
    front::to_user_units(problem, settings, outcome.best.beta, result);
    result.verdicts = screening::verdicts(problem, outcome.bound.tau, outcome.bound.alpha_norm,
                                          outcome.bound.lower_bound, outcome.best.objective);
    result.status = status_of(result, outcome, settings, stop);
    result.lambda0 = settings.lambda0;
    result.lambda1 = problem.penalty.lambdas().lambda1;
    result.lambda2 = problem.penalty.lambdas().lambda2;
    result.loss = settings.loss;
    result.n = problem.features.rows();
    result.p = problem.features.cols();
    result.sweeps = outcome.bound.sweeps;
    result.iterations = outcome.bound.rounds + outcome.searches;
    result.threads = front::chosen_threads(settings);
    result.notes = notes_on(problem, result, settings);
    result.seconds = stop.seconds();
    return result;
  });
}

}  // namespace ellzero
