// The front door of every_k(): validate, dispatch, search all sizes at once, map each model back to the user's units.
#include "ellzero/every_k.hpp"

#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "core/stop.hpp"
#include "exact/sizes/every_size.hpp"
#include "fit/question.hpp"
#include "fit/results.hpp"
#include "fit/units.hpp"

namespace ellzero {
namespace {

Settings with_largest_k(const Dataset& data, const Settings& settings) {
  if (settings.lambda0)
    throw Error(ErrorCode::Usage, fmt::format("lambda0: value is {}; expected none: every k has a model of its own, "
                                              "whatever a feature costs",
                                              *settings.lambda0));
  if (settings.loss != loss::Squared::name)
    throw Error(ErrorCode::Usage, fmt::format("loss: value is {}; expected {}, the one for which every k is worked out",
                                              settings.loss, loss::Squared::name));
  Settings chosen = settings;
  if (!chosen.k) chosen.k = shape(data.X).cols;
  return chosen;
}

template <class L>
Result to_result(const problem::Problem<L>& problem, const Settings& settings, const exact::sizes::SizedModel& sized,
                 Index k) {
  Result result;
  result.k = k;
  front::report(problem, settings, sized.model.beta, sized.lower_bound, result);
  front::note_rounding(sized.model.objective, settings, result);
  front::describe(problem, settings, result);
  result.threads = 1;
  for (Index j = 0; j < result.p; ++j)
    result.verdicts.push_back(problem.features.scale(j) == 0 ? Verdict::Never : Verdict::Undecided);
  return result;
}

template <class L>
std::vector<Result> run(const problem::Problem<L>& problem, const Settings& settings, core::Stop& stop) {
  const Index most_nodes = settings.node_limit.value_or(std::numeric_limits<Index>::max());
  const auto found = exact::sizes::EverySizeSearch(problem).run(*settings.k, most_nodes, stop);
  std::vector<Result> results;
  Index k = problem.penalty.always_in_count();
  for (const exact::sizes::SizedModel& sized : found.sizes) {
    Result result = to_result(problem, settings, sized, k++);
    const bool closed = sized.proved || result.relative_gap <= settings.gap;
    result.status = closed ? Status::Optimal : found.limit.value_or(Status::IterationLimit);
    result.nodes = found.nodes;
    result.seconds = stop.seconds();
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace

std::vector<Result> every_k(const Dataset& data, const Settings& settings, Observer* observer) {
  const Settings chosen = with_largest_k(data, settings);
  core::Stop stop(settings.time_limit, observer);
  return front::with_problem(data, chosen, [&]<class L>(const problem::Problem<L>& problem) {
    if constexpr (std::is_same_v<L, loss::Squared>) return run(problem, chosen, stop);
    else return std::vector<Result>();
  });
}

}  // namespace ellzero
