// Options that have no effect beside others are refused by name, never ignored.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace ellzero::cli {

/// `is_given`: whether the user has set a flag, by its name without dashes in front. Throws Error(Usage) that names the
/// first one without effect, and says what would give it one.
void refuse_idle_options(std::string_view command, const Options& options,
                         const std::function<bool(const std::string&)>& is_given);

}  // namespace ellzero::cli
