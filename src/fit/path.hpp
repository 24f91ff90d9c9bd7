// The walk behind path(), and behind the folds of choose().
#pragma once

#include "ellzero/path.hpp"

namespace ellzero::front {

/// path(); or, where it proves nothing, models that are good enough to see what they predict: searches are quick, and
/// relaxations guide them, each from the last one on. Their bounds are valid but rough.
Path walk_path(const Dataset& data, const Settings& settings, Observer* observer, bool proves);

}  // namespace ellzero::front
