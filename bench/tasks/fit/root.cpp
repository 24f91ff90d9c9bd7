// Times the relaxation and one sweep on the very Problem that fit() would build.
#include "tasks/fit/root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/stop.hpp"
#include "fit/question.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::bench {

Root time_root(const Dataset& data, const Settings& settings) {
  return front::with_problem(data, settings, [&](const auto& problem) {
    solve::RelaxedOutcome outcome;
    const auto solve = [&] {
      core::Stop stop(settings.time_limit, nullptr);
      outcome = solve::RelaxedSolver(problem).solve({}, stop);
      return stop.seconds();
    };
    const Timing timing = time_briefly(solve);
    const double upper = outcome.lower_bound + outcome.gap;
    return Root{outcome.lower_bound,
                outcome.gap / std::max(std::abs(upper), std::numeric_limits<double>::min()),
                static_cast<Index>(outcome.beta.support.size()),
                outcome.sweeps,
                outcome.rounds,
                timing};
  });
}

double time_sweep(const Dataset& data, const Settings& settings) {
  return front::with_problem(data, settings, [&](const auto& problem) {
    std::vector<double> tau(static_cast<std::size_t>(problem.features.cols()));
    return time([&] { (void)problem.features.sweep(problem.y, 0, features::StoreAll{tau}); }, 15).median;
  });
}

}  // namespace ellzero::bench
