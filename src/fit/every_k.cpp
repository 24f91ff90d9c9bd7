// The front door of every_k(): validate, dispatch, search all sizes at once.
#include "ellzero/every_k.hpp"

#include <type_traits>

#include <fmt/format.h>

#include "core/stop.hpp"
#include "fit/question.hpp"
#include "fit/sizes.hpp"

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

}  // namespace

std::vector<Result> every_k(const Dataset& data, const Settings& settings, Observer* observer) {
  const Settings chosen = with_largest_k(data, settings);
  core::Stop stop(settings.time_limit, observer);
  return front::with_problem(data, chosen, [&]<class L>(const problem::Problem<L>& problem) {
    constexpr Index all = std::numeric_limits<Index>::max();
    if constexpr (std::is_same_v<L, loss::Squared>)
      return front::every_size(problem, chosen, {*chosen.k, chosen.node_limit.value_or(all)}, stop);
    else return std::vector<Result>();
  });
}

}  // namespace ellzero
