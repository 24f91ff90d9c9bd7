// The published methods behind methods.hpp: check that one suits the problem, run it, map its outcome back.
#include "fit/methods.hpp"

#include <fmt/format.h>

#include "fit/question.hpp"
#include "fit/results.hpp"
#include "fit/units.hpp"
#include "paper/cdss.hpp"
#include "paper/dual_ascent.hpp"
#include "paper/dual_iht.hpp"
#include "paper/primal_dual.hpp"
#include "screening/verdicts.hpp"

namespace ellzero::front {
namespace {

paper::Rules chosen_rules(const Settings& settings) {
  paper::Rules rules;
  rules.tolerance = settings.tolerance;
  rules.max_iterations = settings.max_iterations;
  rules.step = settings.step;
  rules.add_factor = settings.add_factor;
  rules.adding = settings.adding;
  rules.screening = settings.screening == "safe"        ? paper::Screening::Safe
                    : settings.screening == "heuristic" ? paper::Screening::Heuristic
                                                        : paper::Screening::None;
  return rules;
}

/// Dual-IHT is for the budget form and the others are not; links need a q that is finite.
void check_form(const Settings& settings, bool endless) {
  const bool budget = settings.method == "dual-iht";
  if (budget && settings.lambda0)
    throw Error(ErrorCode::Usage,
                fmt::format("lambda0: value is {}; expected none, but k, with method dual-iht", *settings.lambda0));
  if (!budget && settings.k)
    throw Error(ErrorCode::Usage, fmt::format("k: value is {}; expected none, but lambda0, with method {}", *settings.k,
                                              settings.method));
  if (endless && settings.method != "cdss")
    throw Error(ErrorCode::Usage, fmt::format("lambda2: value is 0; expected more than 0, or bounds on every "
                                              "coefficient, with method {}",
                                              settings.method));
}

template <class L>
paper::Outcome run_method(const problem::Problem<L>& problem, const Settings& settings, core::Stop& stop) {
  const paper::Rules rules = chosen_rules(settings);
  if (settings.method == "primal-dual") return paper::PrimalDual<L>(problem, rules, stop).run();
  if (settings.method == "dual-ascent") return paper::dual_ascent(problem, rules, stop);
  if (settings.method == "dual-iht") return paper::DualIht<L>(problem, *settings.k, rules, stop).run();
  return paper::Cdss<L>(problem, rules, stop).run();
}

}  // namespace

Result fit_by_method(const Dataset& data, const Settings& settings, core::Stop& stop) {
  return with_problem(data, settings, [&](const auto& problem) {
    check_form(settings, problem.penalty.may_need_scaling());
    const paper::Outcome outcome = run_method(problem, settings, stop);
    Result result;
    report(problem, settings, outcome.best.beta, outcome.lower_bound, result);
    note_rounding(outcome.best.objective, settings, result);
    auto priced = problem;
    const auto& lambdas = problem.penalty.lambdas();
    priced.penalty = problem.penalty.with({outcome.price, lambdas.lambda1, lambdas.lambda2});
    // With a budget the price is paid for k features at most: P + lambda0 (|b|_0 - k) is no more than P.
    const double paid = outcome.price * static_cast<double>(settings.k.value_or(0));
    result.verdicts =
        screening::verdicts(priced, outcome.tau, outcome.alpha_norm, outcome.dual_value, result.objective + paid);
    note_separation(problem, outcome.best.u, result);
    result.lambda0 = settings.lambda0;
    result.k = settings.k;
    result.iterations = outcome.iterations;
    result.sweeps = outcome.sweeps;
    result.status = outcome.status;
    if (outcome.swings && outcome.status == Status::Stationary)
      result.notes.push_back(fmt::format("{}: stopped after {} rounds without a better gap; its own rule was not met",
                                         settings.method, paper::StoppingRule::patience));
    finish(problem, settings, false, stop.reason(), stop.seconds(), result);
    return result;
  });
}

}  // namespace ellzero::front
