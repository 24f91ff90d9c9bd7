// From the search of all sizes at once to results.
#include "fit/sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "exact/sizes/every_size.hpp"
#include "fit/results.hpp"
#include "fit/units.hpp"

namespace ellzero::front {
namespace {

Result to_result(const problem::Problem<loss::Squared>& problem, const Settings& settings,
                 const exact::sizes::SizedModel& sized, Index k) {
  Result result;
  result.k = k;
  report(problem, settings, sized.model.beta, sized.lower_bound, result);
  note_rounding(sized.model.objective, settings, result);
  describe(problem, settings, result);
  result.threads = 1;
  for (Index j = 0; j < result.p; ++j)
    result.verdicts.push_back(problem.features.scale(j) == 0 ? Verdict::Never : Verdict::Undecided);
  return result;
}

}  // namespace

std::vector<Result> every_size(const problem::Problem<loss::Squared>& problem, const Settings& settings,
                               const SizesWanted& wanted, core::Stop& stop) {
  const auto found = exact::sizes::EverySizeSearch(problem).run(wanted.largest, wanted.most_nodes, stop, wanted.worth);
  std::vector<Result> results;
  Index k = problem.penalty.always_in_count();
  for (const exact::sizes::SizedModel& sized : found.sizes) {
    Result result = to_result(problem, settings, sized, k++);
    if (!results.empty() && result.objective > results.back().objective) {  // as it is printed, rounded
      const double lower_bound = result.lower_bound;
      result = results.back();
      ++*result.k;
      set_bounds(result.objective, std::min(lower_bound, result.lower_bound), result);
    }
    const bool closed = result.relative_gap <= (sized.proved ? std::max(settings.gap, rounding_floor) : settings.gap);
    result.status = closed ? Status::Optimal : found.limit.value_or(Status::IterationLimit);
    if (!closed && !found.doubtful.empty())
      result.notes.push_back(
          fmt::format("features {} are dependent but for rounding: nothing is proved where k leaves "
                      "room for all of them; lambda2 > 0, or leaving one out, helps",
                      fmt::join(found.doubtful, ", ")));
    result.nodes = found.nodes;
    result.seconds = stop.seconds();
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace ellzero::front
