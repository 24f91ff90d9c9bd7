// The library's rules about idle settings, in the words of the command line.
#include "cli/idle_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/idle_settings.hpp"

namespace ellzero::cli {
namespace {

/// The flag of a setting, without dashes in front.
std::string flag_of(std::string_view setting) {
  if (setting == "adding") return "no-adding";  // what is on by default has a flag that turns it off
  std::string flag(setting);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

Purpose purpose_of(std::string_view command, const Options& options) {
  const bool many = options.every_k || options.pool;
  const bool given = options.settings.lambda0 || options.settings.k || many;
  const bool one = (command == "fit" || command == "prove") && given;
  return {.walks = !one, .proves = command == "prove" || many || !given};  // what is chosen is proved, too
}

}  // namespace

void refuse_idle_options(std::string_view command, const Options& options,
                         const std::function<bool(const std::string&)>& is_given) {
  const Wording wording{.spell = [](std::string_view setting) { return "--" + flag_of(setting); },
                        .where_chosen = "without --lambda0, --k, --every-k and --pool",
                        .where_proved = "with `ellzero prove`, or without --lambda0 and --k"};
  const auto idle = find_idle_setting(options.settings, purpose_of(command, options), wording,
                                      [&](std::string_view setting) { return is_given(flag_of(setting)); });
  if (idle)
    throw Error(ErrorCode::Usage, fmt::format("{}: is set; expected it only {}", flag_of(idle->name), idle->expected));
}

}  // namespace ellzero::cli
