// The front door of path(): validate, dispatch, walk the grid.
#include "ellzero/path.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/stop.hpp"
#include "ellzero/error.hpp"
#include "fit/path.hpp"
#include "fit/walk.hpp"

namespace ellzero {

void front::check_path(const Settings& settings) {
  if (settings.lambda0)
    throw Error(ErrorCode::Usage, fmt::format("lambda0: value is {}; expected none for a path, but lambda0_grid, or "
                                              "nothing for one made from the data",
                                              *settings.lambda0));
  if (settings.k && !settings.lambda0_grid.empty())
    throw Error(ErrorCode::Usage, "k and lambda0_grid: both are set; expected one of them");
  if (settings.method != "engine")
    throw Error(ErrorCode::Usage, fmt::format("method: value is {}; expected engine for a path", settings.method));
}

Path path(const Dataset& data, const Settings& settings, Observer* observer) {
  validate(settings);
  front::check_path(settings);
  core::Stop stop(settings.time_limit, observer);
  return front::with_question(
      data, settings, [&](const auto& question) { return std::move(front::Walk(question, settings, stop).path()); });
}

}  // namespace ellzero
