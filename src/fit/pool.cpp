// The front door of pool(): validate, dispatch, fit, enumerate, map each model back to the user's units.
#include "ellzero/pool.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/stop.hpp"
#include "exact/tree/pool.hpp"
#include "fit/found.hpp"
#include "fit/question.hpp"
#include "fit/results.hpp"
#include "fit/units.hpp"

namespace ellzero {
namespace {

void check(const PoolSettings& range) {
  constexpr double largest = 1e6;
  if (!(range.margin >= 0 && range.margin <= largest))
    throw Error(ErrorCode::Usage, fmt::format("pool: value is {}; expected 0 to {:g}", range.margin, largest));
  if (range.size < 1)
    throw Error(ErrorCode::Usage, fmt::format("pool_size: value is {}; expected 1 or above", range.size));
}

/// What was enumerated, and what the root proves about features.
struct Enumerated {
  exact::tree::PoolOutcome pool;
  std::vector<Verdict> verdicts = {};
  Index sweeps = 0;
};

template <class L>
Enumerated enumerate(const problem::Problem<L>& problem, const Settings& settings, const exact::tree::PoolRange& range,
                     core::Stop& stop) {
  auto start = front::find(problem, settings, stop);
  solve::complete(start.priced, start.relaxed);
  Enumerated found{exact::tree::fill_pool(start.priced, start.plain, start.relaxed, std::move(start.best), range,
                                          front::limits_of(start, settings), front::chosen_threads(settings), stop)};
  Result best;  // as it is reported: verdicts must not rest on less
  front::report(problem, settings, found.pool.members.front().beta, found.pool.beyond, best);
  found.verdicts = front::verdicts_of(start, best.objective);
  found.sweeps = start.k ? start.sweeps : start.relaxed.sweeps;
  return found;
}

/// Each model in the user's units, its bound that of its own support; ascending, as rounding may have changed the
/// order.
template <class L>
std::vector<Result> to_results(const problem::Problem<L>& problem, const Settings& settings, const Enumerated& found) {
  std::vector<Result> results;
  for (const exact::tree::PoolMember& member : found.pool.members) {
    Result& result = results.emplace_back();
    front::report(problem, settings, member.beta, member.bound, result);
    front::note_rounding(member.objective, settings, result);
    front::note_separation(problem, problem::predictor(problem, member.beta), result);
    front::describe(problem, settings, result);
    result.verdicts = found.verdicts;
    result.k = settings.k;
    result.lambda0 = settings.lambda0;
    result.sweeps = found.sweeps;
    result.nodes = found.pool.nodes;
  }
  std::stable_sort(results.begin(), results.end(),
                   [](const Result& a, const Result& b) { return a.objective < b.objective; });
  return results;
}

template <class L>
Pool to_pool(const problem::Problem<L>& problem, const Settings& settings, const Enumerated& found) {
  const auto& [members, beyond, cut, complete, nodes, limit] = found.pool;
  Pool pool{to_results(problem, settings, found), limit.value_or(Status::Optimal), complete, cut, beyond};
  double rest = beyond;  // a bound for all supports but those before
  for (auto result = pool.models.rbegin(); result != pool.models.rend(); ++result) {
    rest = std::min(rest, result->lower_bound);
    front::set_bounds(result->objective, rest, *result);
    const bool closed = result->relative_gap <= std::max(settings.gap, exact::tree::least_gap);
    result->status = closed ? Status::Optimal : limit.value_or(Status::IterationLimit);
  }
  const bool proved =
      (complete || cut) && std::all_of(pool.models.begin(), pool.models.end(),
                                       [](const Result& result) { return result.status == Status::Optimal; });
  if (!limit && !proved) pool.status = Status::IterationLimit;
  return pool;
}

}  // namespace

Pool pool(const Dataset& data, const Settings& settings, const PoolSettings& range, Observer* observer) {
  check(range);
  core::Stop stop(settings.time_limit, observer);
  return front::with_problem(data, settings, [&](const auto& problem) {
    const exact::tree::PoolRange wanted{range.margin, static_cast<std::size_t>(range.size)};
    const Enumerated found = enumerate(problem, settings, wanted, stop);
    Pool pool = to_pool(problem, settings, found);
    for (Result& result : pool.models) result.seconds = stop.seconds();
    return pool;
  });
}

}  // namespace ellzero
