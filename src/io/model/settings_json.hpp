// Settings as JSON, made from the one table of settings.
#pragma once

#include "ellzero/settings.hpp"
#include "io/model/json_place.hpp"

namespace ellzero::io::model {

/// One key for each setting; null for what is not set, and for bounds that are infinite.
Json to_json(const Settings& settings);

/// Settings that are not there keep their default. Throws Error(Data) for keys that no setting has and for values
/// outside their range.
Settings settings_from(const JsonPlace& place);

}  // namespace ellzero::io::model
