// Settings that have no effect beside others: one table of rules, so that every surface refuses the same ones.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "ellzero/settings.hpp"

namespace ellzero {

/// What a computation does that its settings do not say.
struct Purpose {
  bool walks = false;   ///< a path, to show it or to choose from it
  bool proves = false;  ///< by branch and bound
};

/// How a surface speaks of settings.
struct Wording {
  std::function<std::string(std::string_view)> spell;  ///< "lambda0" as its user writes it
  std::string_view where_chosen;                       ///< where a model is chosen: "without ..."
  std::string_view where_proved;                       ///< where something is proved: "with ..."
};

struct IdleSetting {
  std::string_view name;
  std::string expected;  ///< where it has an effect, in the surface's words: "with --select cv"
};

/// The first of the settings that the user has given, by their names in the table, that has no effect.
std::optional<IdleSetting> find_idle_setting(const Settings& settings, const Purpose& purpose, const Wording& wording,
                                             const std::function<bool(std::string_view)>& is_given);

}  // namespace ellzero
