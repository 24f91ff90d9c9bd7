// What path() and choose() check alike.
#pragma once

#include "ellzero/settings.hpp"

namespace ellzero::front {

/// Throws Error(Usage) for settings that describe one model and no path, or that a path does not know.
void check_path(const Settings& settings);

}  // namespace ellzero::front
