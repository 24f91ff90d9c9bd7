// The one table of settings: validation, and every surface that names a setting, is made from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ellzero/settings.hpp"

namespace ellzero {

/// One row: where the value lives (its type and default follow from that), what it may be, and what it does.
struct Setting {
  using Member = std::variant<bool Settings::*, int Settings::*, double Settings::*, std::optional<double> Settings::*,
                              std::optional<Index> Settings::*, std::string Settings::*,
                              std::vector<double> Settings::*, std::vector<Index> Settings::*>;
  std::string_view name;
  Member member;
  double lowest;  ///< numbers lie in [lowest, highest]
  double highest;
  std::string_view unset;  ///< what an absent or empty value means; "" where there always is one
  std::string_view help;
  std::vector<std::string_view> choices = {};  ///< words: one of these
};

std::span<const Setting> settings_table();

/// "number", "whole number", "yes or no", "word", "list of numbers", "list of features"
std::string type_text(const Setting& setting);
/// "0.5", "yes", or what an unset value means
std::string default_text(const Setting& setting);
/// "0 to 1e+60", "squared, logistic, smoothed-hinge"
std::string range_text(const Setting& setting);

/// Throws Error(Usage) for the first value outside its range, naming the setting, the value and the range.
void validate(const Settings& settings);

}  // namespace ellzero
