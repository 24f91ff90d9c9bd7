// The front door of choose().
#include "ellzero/selection.hpp"

#include "core/stop.hpp"
#include "fit/chooser.hpp"
#include "fit/path.hpp"

namespace ellzero {

Selection choose(const Dataset& data, const Settings& settings, Observer* observer) {
  validate(settings);
  front::check_path(settings);
  core::Stop stop(settings.time_limit, observer);
  return front::with_question(data, settings, [&]<class L>(const front::Question<L>& question) {
    return front::Chooser<L>(question, settings, data, stop).run();
  });
}

}  // namespace ellzero
