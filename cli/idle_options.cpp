// The rules behind idle_options.hpp, one row for each reason.
#include "cli/idle_options.hpp"

#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"

namespace ellzero::cli {
namespace {

struct Rule {
  bool applies;                    ///< then none of the flags has an effect
  std::vector<const char*> flags;  ///< without dashes in front
  const char* expected;            ///< where they have one
};

std::vector<Rule> rules_of(std::string_view command, const Options& options) {
  const Settings& settings = options.settings;
  const bool fits = command == "fit", many = options.every_k || options.pool;
  const bool one = (fits || command == "prove") && (settings.lambda0 || settings.k || many);
  return {
      {.applies = one,
       .flags = {"select", "rule", "metric", "folds", "repeats", "lambda0-grid", "lambda1-grid", "lambda2-grid",
                 "grid-size", "max-nonzeros"},
       .expected = "where a model is chosen: without --lambda0, --k, --every-k and --pool"},
      {.applies = settings.select != "cv",
       .flags = {"rule", "metric", "folds", "repeats"},
       .expected = "with --select cv"},
      {.applies = settings.loss != "smoothed-hinge",
       .flags = {"hinge-width"},
       .expected = "with --loss smoothed-hinge"},
      {.applies = settings.method == "engine",
       .flags = {"step", "add-factor", "tolerance", "max-iterations", "screening", "no-adding"},
       .expected = "with another --method than engine"},
      {.applies = settings.method != "primal-dual",
       .flags = {"add-factor", "screening", "no-adding"},
       .expected = "with --method primal-dual"},
      {.applies = settings.method == "cdss", .flags = {"step"}, .expected = "with a dual method, which cdss is not"},
      {.applies = fits && one && !many,
       .flags = {"node-limit", "memory-limit"},
       .expected = "where something is proved: with `ellzero prove`, or without --lambda0 and --k"},
      {.applies = !settings.lambda0_grid.empty(), .flags = {"grid-size"}, .expected = "without --lambda0-grid"},
      {.applies = settings.k.has_value(), .flags = {"grid-size", "max-nonzeros"}, .expected = "without --k"},
      {.applies = !settings.lambda1_grid.empty(), .flags = {"lambda1"}, .expected = "without --lambda1-grid"},
      {.applies = !settings.lambda2_grid.empty(), .flags = {"lambda2"}, .expected = "without --lambda2-grid"},
  };
}

}  // namespace

void refuse_idle_options(std::string_view command, const Options& options,
                         const std::function<bool(const std::string&)>& is_given) {
  for (const Rule& rule : rules_of(command, options))
    for (const char* flag : rule.flags)
      if (rule.applies && is_given(flag))
        throw Error(ErrorCode::Usage, fmt::format("{}: is set; expected it only {}", flag, rule.expected));
}

}  // namespace ellzero::cli
