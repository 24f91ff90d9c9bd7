// The rows of the table of settings, and the checks and texts that follow from them.
#include "ellzero/settings_table.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ellzero/error.hpp"
#include "loss/all.hpp"

namespace ellzero {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double huge = 1e60;

template <class... L>
std::vector<std::string_view> names_of(std::type_identity<std::variant<L...>> /*losses*/) {
  return {L::name...};
}

std::vector<Setting> make_table() {
  using S = Settings;
  return {
      {"loss", &S::loss, 0, 0, "", "loss summed over the samples", names_of(std::type_identity<loss::AnyLoss>())},
      {"hinge_width", &S::hinge_width, 1e-12, 1e12, "", "width c of the rounded kink of smoothed-hinge"},
      {"lambda0", &S::lambda0, 0, huge, "none", "price of each feature that is used"},
      {"lambda1", &S::lambda1, 0, huge, "", "price of |b|"},
      {"lambda2", &S::lambda2, 0, huge, "0.01 times the mean squared column norm; 0 with k or a criterion, and n > p",
       "price of b^2"},
      {"k", &S::k, 0, 0x1p62, "none", "largest number of features, in place of lambda0"},
      {"lower", &S::lower, -inf, 0, "no bound", "lower bound of the coefficients: one for all, or one per feature"},
      {"upper", &S::upper, 0, inf, "no bound", "upper bound of the coefficients: one for all, or one per feature"},
      {"always", &S::always, 0, 0x1p62, "none", "features that are in the model whatever they are worth"},
      {"intercept", &S::intercept, 0, 1, "", "add an intercept that costs nothing"},
      {"standardize", &S::standardize, 0, 1, "", "let the penalties see columns of norm 1 (centred with an intercept)"},
      {"effort", &S::effort, 0, 0, "", "how hard to search for a better subset", {"quick", "default", "thorough"}},
      {"gap", &S::gap, 0, 1, "", "relative gap at which a solution counts as optimal"},
      {"time_limit", &S::time_limit, 0, 1e9, "none; 60 with a published method",
       "seconds after which to stop with the best so far"},
      {"node_limit", &S::node_limit, 0, 0x1p62, "none", "nodes of a proof after which to stop with the best so far"},
      {"memory_limit", &S::memory_limit, 0, 1e9, "none", "megabytes that the nodes of a proof may take"},
      {"seed", &S::seed, 0, 2147483647, "", "seed of the random moves; results depend on nothing else random"},
      {"threads", &S::threads, 0, 1024, "", "threads to use, 0 for one per core; results do not depend on it"},
      {"method",
       &S::method,
       0,
       0,
       "",
       "ellzero's own engine, or a published method to compare it with",
       {"engine", "primal-dual", "dual-ascent", "dual-iht", "cdss"}},
      {"step", &S::step, 1e-12, 1e12, "1/(mu t)", "length of the dual methods' steps"},
      {"add_factor", &S::add_factor, 0, 1e6, "", "c of the ceil(c log p) features that primal-dual adds at a time"},
      {"tolerance", &S::tolerance, 0, huge, "", "gap, or change of the gap, at which a published method stops"},
      {"max_iterations", &S::max_iterations, 1, 2147483647, "", "iterations after which a published method stops"},
      {"screening",
       &S::screening,
       0,
       0,
       "",
       "how primal-dual rules features out; heuristic is the paper's way and may be wrong",
       {"safe", "heuristic", "none"}},
      {"adding", &S::adding, 0, 1, "", "let primal-dual begin with few features and add more as they are needed"},
      {"lambda0_grid", &S::lambda0_grid, 0, huge, "made from the data", "values of lambda0 for a path"},
      {"lambda1_grid", &S::lambda1_grid, 0, huge, "lambda1 alone", "values of lambda1 for a path"},
      {"lambda2_grid", &S::lambda2_grid, 0, huge, "lambda2 alone", "values of lambda2 for a path"},
      {"grid_size", &S::grid_size, 1, 1e6, "", "values of lambda0 in a grid that is made from the data"},
      {"max_nonzeros", &S::max_nonzeros, 0, 0x1p62,
       "none; half the samples, 100 at most, for a grid made from the data, and fewer where scores ask for no more",
       "a path ends at the first model with more features"},
      {"select", &S::select, 0, 0, "", "what chooses a model of a path", {"cv", "aic", "bic", "ebic", "gic"}},
      {"rule",
       &S::rule,
       0,
       0,
       "",
       "the best score, or the sparsest that is as good: by paired differences, or one standard error",
       {"auto", "min", "1se"}},
      {"metric",
       &S::metric,
       0,
       0,
       "",
       "what cross-validation measures; auto is mse, or deviance for classes",
       {"auto", "mse", "mae", "deviance", "accuracy", "auc"}},
      {"folds", &S::folds, 2, 1e6, "10, 5 from 2000 samples on, or as many as there are samples",
       "parts that cross-validation cuts the samples into"},
      {"repeats", &S::repeats, 1, 1e6, "5, for classes 3; 1 from 2000 samples on",
       "times that cross-validation is repeated with other folds"},
      {"relax", &S::relax, 0, 1, "chosen with the model; 0 with lambda0 or k",
       "share of a refit without penalty in the coefficients that predict"},
  };
}

std::string text(bool value) { return value ? "yes" : "no"; }
std::string text(double value) { return fmt::format("{}", value); }
std::string text(Index value) { return fmt::format("{}", value); }
std::string text(int value) { return fmt::format("{}", value); }
std::string text(const std::string& value) { return value; }

bool allowed(const Setting& setting, const std::string& value) {
  for (const auto choice : setting.choices)
    if (value == choice) return true;
  return false;
}
template <class Number>
bool allowed(const Setting& setting, Number value) {
  const auto number = static_cast<double>(value);
  return number >= setting.lowest && number <= setting.highest;  // false for NaN
}

/// Calls f(part, value) for every single value a field holds; `part` is "" or "[3]".
template <class Field, class F>
void for_each_value(const Field& field, F&& f) {
  if constexpr (requires { field.has_value(); }) {
    if (field) f(std::string(), *field);
  } else if constexpr (requires { field.begin(); } && !std::is_same_v<Field, std::string>) {
    for (std::size_t k = 0; k < field.size(); ++k) f(fmt::format("[{}]", k), field[k]);
  } else {
    f(std::string(), field);
  }
}

}  // namespace

std::span<const Setting> settings_table() {
  static const std::vector<Setting> table = make_table();
  return table;
}

std::string type_text(const Setting& setting) {
  static constexpr const char* names[] = {"yes or no",    "whole number", "number",          "number",
                                          "whole number", "word",         "list of numbers", "list of features"};
  return names[setting.member.index()];
}

std::string default_text(const Setting& setting) {
  std::string result(setting.unset);
  std::visit([&](auto member) { for_each_value(Settings{}.*member, [&](auto, auto value) { result = text(value); }); },
             setting.member);
  return result;
}

std::string range_text(const Setting& setting) {
  if (!setting.choices.empty()) return fmt::format("{}", fmt::join(setting.choices, ", "));
  if (std::holds_alternative<bool Settings::*>(setting.member)) return "yes, no";
  if (std::holds_alternative<std::vector<Index> Settings::*>(setting.member)) return "feature indices, from 0";
  if (setting.highest == 0x1p62) return fmt::format("{:g} or above", setting.lowest);
  return fmt::format("{:g} to {:g}", setting.lowest, setting.highest);
}

void validate(const Settings& settings) {
  for (const Setting& setting : settings_table())
    std::visit(
        [&](auto member) {
          for_each_value(settings.*member, [&](const std::string& part, const auto& value) {
            if (!allowed(setting, value))
              throw Error(ErrorCode::Usage, fmt::format("{}{}: value is {}; expected {}", setting.name, part,
                                                        text(value), range_text(setting)));
          });
        },
        setting.member);
}

}  // namespace ellzero
