// The rules behind idle_settings.hpp, one row for each reason.
#include "ellzero/idle_settings.hpp"

#include <vector>

#include <fmt/format.h>

namespace ellzero {
namespace {

struct Rule {
  bool applies;                         ///< then none of the settings has an effect
  std::vector<std::string_view> names;  ///< of settings
  std::string expected;                 ///< where they have one
};

std::vector<Rule> rules_of(const Settings& settings, const Purpose& purpose, const Wording& wording) {
  const auto with = [&](std::string_view name, std::string_view value) {
    return fmt::format("with {} {}", wording.spell(name), value);
  };
  const auto without = [&](std::string_view name) { return fmt::format("without {}", wording.spell(name)); };
  return {
      {.applies = !purpose.walks,
       .names = {"select", "rule", "metric", "folds", "repeats", "lambda0_grid", "lambda1_grid", "lambda2_grid",
                 "grid_size", "max_nonzeros"},
       .expected = fmt::format("where a model is chosen: {}", wording.where_chosen)},
      {.applies = settings.select != "cv",
       .names = {"rule", "metric", "folds", "repeats"},
       .expected = with("select", "cv")},
      {.applies = settings.loss != "smoothed-hinge",
       .names = {"hinge_width"},
       .expected = with("loss", "smoothed-hinge")},
      {.applies = settings.method == "engine",
       .names = {"step", "add_factor", "tolerance", "max_iterations", "screening", "adding"},
       .expected = fmt::format("with another {} than engine", wording.spell("method"))},
      {.applies = settings.method != "primal-dual",
       .names = {"add_factor", "screening", "adding"},
       .expected = with("method", "primal-dual")},
      {.applies = settings.method == "cdss", .names = {"step"}, .expected = "with a dual method, which cdss is not"},
      {.applies = !purpose.proves,
       .names = {"node_limit", "memory_limit"},
       .expected = fmt::format("where something is proved: {}", wording.where_proved)},
      {.applies = !settings.lambda0_grid.empty(), .names = {"grid_size"}, .expected = without("lambda0_grid")},
      {.applies = settings.k.has_value(), .names = {"grid_size", "max_nonzeros"}, .expected = without("k")},
      {.applies = !settings.lambda1_grid.empty(), .names = {"lambda1"}, .expected = without("lambda1_grid")},
      {.applies = !settings.lambda2_grid.empty(), .names = {"lambda2"}, .expected = without("lambda2_grid")},
  };
}

}  // namespace

std::optional<IdleSetting> find_idle_setting(const Settings& settings, const Purpose& purpose, const Wording& wording,
                                             const std::function<bool(std::string_view)>& is_given) {
  for (const Rule& rule : rules_of(settings, purpose, wording))
    for (const std::string_view name : rule.names)
      if (rule.applies && is_given(name)) return IdleSetting{name, rule.expected};
  return std::nullopt;
}

}  // namespace ellzero
