// The table of settings: it covers every field, its texts say what the fields hold, and bad values are refused by name.
#include "ellzero/settings_table.hpp"

#include <cstddef>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "ellzero/error.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::inf;
using oracle::nan;

/// Stands for a value of any field while they are counted.
template <std::size_t>
struct Anything {
  template <class T>
  operator T() const {  // NOLINT(google-explicit-constructor): braces must accept it
    return T();
  }
};
template <class T, std::size_t... K>
constexpr bool takes(std::index_sequence<K...>) {
  return requires { T{{Anything<K>()}...}; };
}
/// How many fields an aggregate has: the most values that its braces take.
template <class T, std::size_t most = 100>
constexpr std::size_t field_count() {
  if constexpr (takes<T>(std::make_index_sequence<most>())) return most;
  else return field_count<T, most - 1>();
}

const Setting& row(std::string_view name) {
  for (const Setting& setting : settings_table())
    if (setting.name == name) return setting;
  throw std::out_of_range("no setting " + std::string(name));
}

TEST(SettingsTable, has_one_row_for_every_field) {
  EXPECT_EQ(settings_table().size(), field_count<Settings>());
  const Settings settings;
  std::set<const void*> fields;
  for (const Setting& setting : settings_table())
    std::visit([&](auto member) { fields.insert(&(settings.*member)); }, setting.member);
  EXPECT_EQ(fields.size(), settings_table().size()) << "two rows describe one field";
}

TEST(SettingsTable, names_are_different_and_every_row_helps) {
  std::set<std::string_view> names;
  for (const Setting& setting : settings_table()) {
    EXPECT_FALSE(setting.name.empty());
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    EXPECT_FALSE(setting.help.empty()) << setting.name;
    EXPECT_FALSE(type_text(setting).empty()) << setting.name;
    EXPECT_FALSE(default_text(setting).empty()) << setting.name << " says nothing about its default";
    EXPECT_FALSE(range_text(setting).empty()) << setting.name;
    EXPECT_LE(setting.lowest, setting.highest) << setting.name;
  }
}

TEST(SettingsTable, types_in_words) {
  EXPECT_EQ(type_text(row("loss")), "word");
  EXPECT_EQ(type_text(row("hinge_width")), "number");
  EXPECT_EQ(type_text(row("lambda0")), "number");
  EXPECT_EQ(type_text(row("lower")), "list of numbers");
  EXPECT_EQ(type_text(row("always")), "list of features");
  EXPECT_EQ(type_text(row("intercept")), "yes or no");
  EXPECT_EQ(type_text(row("threads")), "whole number");
}

TEST(SettingsTable, defaults_in_words) {
  EXPECT_EQ(default_text(row("loss")), "squared");
  EXPECT_EQ(default_text(row("hinge_width")), "1");
  EXPECT_EQ(default_text(row("lambda0")), "none");
  EXPECT_EQ(default_text(row("lambda1")), "0");
  EXPECT_EQ(default_text(row("lambda2")),
            "0.01 times the mean squared column norm; 0 with k or a criterion, and n > p");
  EXPECT_EQ(default_text(row("upper")), "no bound");
  EXPECT_EQ(default_text(row("always")), "none");
  EXPECT_EQ(default_text(row("standardize")), "yes");
  EXPECT_EQ(default_text(row("threads")), "0");
}

TEST(SettingsTable, ranges_in_words) {
  for (const auto* name : {"squared", "logistic", "smoothed-hinge"})
    EXPECT_NE(range_text(row("loss")).find(name), std::string::npos) << range_text(row("loss"));
  EXPECT_EQ(range_text(row("hinge_width")), "1e-12 to 1e+12");
  EXPECT_EQ(range_text(row("lambda0")), "0 to 1e+60");
  EXPECT_EQ(range_text(row("lower")), "-inf to 0");
  EXPECT_EQ(range_text(row("upper")), "0 to inf");
  EXPECT_EQ(range_text(row("always")), "feature indices, from 0");
  EXPECT_EQ(range_text(row("intercept")), "yes, no");
  EXPECT_EQ(range_text(row("threads")), "0 to 1024");
}

TEST(Validate, accepts_the_defaults_and_the_ends_of_every_range) {
  EXPECT_NO_THROW(validate(Settings()));
  Settings lowest;
  lowest.loss = "logistic";
  lowest.hinge_width = 1e-12;
  lowest.lambda0 = 0;
  lowest.lambda1 = 0;
  lowest.lambda2 = 0;
  lowest.lower = {-inf, 0, -1.5};
  lowest.upper = {0, 0, 0};
  lowest.always = {0};
  lowest.intercept = false;
  EXPECT_NO_THROW(validate(lowest));
  Settings highest;
  highest.loss = "smoothed-hinge";
  highest.hinge_width = 1e12;
  highest.lambda0 = 1e60;
  highest.lambda1 = 1e60;
  highest.lambda2 = 1e60;
  highest.lower = {-0.0};
  highest.upper = {inf};
  highest.always = {0, 7, 3};
  highest.threads = 1024;
  EXPECT_NO_THROW(validate(highest));
}

/// A change of the default settings that must be refused, and what the message must say of it.
struct Refusal {
  std::function<void(Settings&)> change;
  std::string name;
  std::string value;
};

void expect_refused(const Refusal& refusal) {
  Settings settings;
  refusal.change(settings);
  SCOPED_TRACE(refusal.name + " = " + refusal.value);
  try {
    validate(settings);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.code(), ErrorCode::Usage);
    EXPECT_EQ(message.find(refusal.name + ": value is " + refusal.value + ";"), 0U) << message;
    const std::string expected = range_text(row(refusal.name.substr(0, refusal.name.find('['))));
    EXPECT_NE(message.find("expected " + expected), std::string::npos) << message;
  }
}

TEST(Validate, refuses_bad_prices) {
  expect_refused({[](Settings& s) { s.lambda0 = -1; }, "lambda0", "-1"});
  expect_refused({[](Settings& s) { s.lambda0 = nan; }, "lambda0", "nan"});
  expect_refused({[](Settings& s) { s.lambda0 = inf; }, "lambda0", "inf"});
  expect_refused({[](Settings& s) { s.lambda0 = 1.5e60; }, "lambda0", "1.5e+60"});
  expect_refused({[](Settings& s) { s.lambda1 = nan; }, "lambda1", "nan"});
  expect_refused({[](Settings& s) { s.lambda1 = -1e-300; }, "lambda1", "-1e-300"});
  expect_refused({[](Settings& s) { s.lambda2 = -0.5; }, "lambda2", "-0.5"});
  expect_refused({[](Settings& s) { s.lambda2 = -inf; }, "lambda2", "-inf"});
}

TEST(Validate, refuses_unknown_losses_and_bad_widths) {
  expect_refused({[](Settings& s) { s.loss = "square"; }, "loss", "square"});
  expect_refused({[](Settings& s) { s.loss = "Squared"; }, "loss", "Squared"});
  expect_refused({[](Settings& s) { s.loss = ""; }, "loss", ""});
  expect_refused({[](Settings& s) { s.hinge_width = 0; }, "hinge_width", "0"});
  expect_refused({[](Settings& s) { s.hinge_width = nan; }, "hinge_width", "nan"});
}

TEST(Validate, refuses_boxes_without_0) {
  expect_refused({[](Settings& s) { s.lower = {0.25}; }, "lower[0]", "0.25"});
  expect_refused({[](Settings& s) { s.lower = {-1, nan, 0}; }, "lower[1]", "nan"});
  expect_refused({[](Settings& s) { s.lower = {-inf, -1, inf}; }, "lower[2]", "inf"});
  expect_refused({[](Settings& s) { s.upper = {-0.25}; }, "upper[0]", "-0.25"});
  expect_refused({[](Settings& s) { s.upper = {1, 1, 1, nan}; }, "upper[3]", "nan"});
}

TEST(Validate, refuses_bad_counts) {
  expect_refused({[](Settings& s) { s.threads = -1; }, "threads", "-1"});
  expect_refused({[](Settings& s) { s.threads = 1025; }, "threads", "1025"});
  expect_refused({[](Settings& s) { s.always = {3, -2}; }, "always[1]", "-2"});
}

}  // namespace
}  // namespace ellzero
