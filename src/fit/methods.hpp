// The published methods (Settings::method) behind the front door of fit().
#pragma once

#include "core/stop.hpp"
#include "ellzero/dataset.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero::front {

/// Seconds that a published method may take when nobody says: its own rules do not always end it.
inline constexpr double method_time_limit = 60;

/// fit() by settings.method. Throws Error(Usage) for a form of the problem that the method does not know.
Result fit_by_method(const Dataset& data, const Settings& settings, core::Stop& stop);

}  // namespace ellzero::front
