// Sub-commands' shared flags behind flags.hpp.
#include "cli/flags.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list_options.hpp"
#include "cli/streams.hpp"
#include "ellzero/error.hpp"
#include "ellzero/version.hpp"
#include "io/bytes/file_bytes.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"

namespace ellzero::cli {
namespace {

constexpr const char* column_type = "COLUMN";

std::vector<std::string> with_dashes(std::vector<std::string> names) {
  for (std::string& name : names) name.insert(0, "--");
  return names;
}

void refuse_extras(const CLI::App& app, std::string_view expected) {
  auto extras = app.remaining();
  const auto end_of_options = std::find(extras.begin(), extras.end(), "--");
  const auto flag =
      std::find_if(extras.begin(), end_of_options, [](const auto& word) { return word.starts_with('-'); });
  if (flag == end_of_options) {
    if (end_of_options != extras.end()) extras.erase(end_of_options);
    if (extras.empty()) return;
    throw Error(ErrorCode::Usage, fmt::format("unexpected argument {}; expected {}", io::shown(extras[0]), expected));
  }
  const std::string name = flag->substr(0, flag->find('='));
  throw Error(ErrorCode::Usage, fmt::format("no option {}{} (--help lists them)", io::shown(name),
                                            io::suggestion(name, with_dashes(flag_names(app)))));
}

[[noreturn]] void refuse_config(const std::string& name) {
  try {
    const io::bytes::FileBytes again(name);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("config: {}", error.what()));
  }
  throw Error(ErrorCode::InputOutput, fmt::format("config: {}: cannot be read; expected lines like k = 5", name));
}

/// A variable of the shell that is not set gives an empty name, which must not count as none.
void refuse_empty_names(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const auto& said = option->results();
    const bool names = option->get_type_name() == file_type || option->get_type_name() == column_type;
    if (names && std::find(said.begin(), said.end(), "") != said.end())
      refuse_value(option->get_single_name(), "",
                   option->get_type_name() == file_type ? "a file" : "a column or a file");
  }
}

}  // namespace

void refuse_value(const std::string& name, std::string_view text, std::string_view expected) {
  throw Error(ErrorCode::Usage, fmt::format("{}: value is {}; expected {}", name, io::shown(text), expected));
}

void add_word(CLI::App& app, const std::string& name, std::string& value, std::vector<std::string> choices,
              const std::string& help) {
  app.add_option_function<std::string>(
         "--" + name,
         [&value, name, choices](const std::string& text) {
           if (std::find(choices.begin(), choices.end(), text) == choices.end())
             refuse_value(name, text, fmt::format("{}{}", fmt::join(choices, ", "), io::suggestion(text, choices)));
           value = text;
         },
         help)
      ->type_name(fmt::format("{}", fmt::join(choices, "|")));
}

void add_data_flags(CLI::App& app, io::table::ReadOptions& read) {
  app.add_option("--target", read.target,
                 "column to predict (default: the one called target, else the last); for .npy and .mtx data the file "
                 "of it: .npy, .mtx, or one number per line")
      ->type_name(column_type);
  app.add_option("--weights", read.weights, "column of sample weights, or a file as for --target (default: all 1)")
      ->type_name(column_type);
  app.add_option("--offset", read.offset,
                 "column added to every prediction, or a file as for --target (default: all 0)")
      ->type_name(column_type);
  app.add_option("--folds-column", read.folds,
                 "column of numbers that is no feature, or a file as for --target: samples of one number are left out "
                 "together in cross-validation (default: folds are dealt at random)")
      ->type_name(column_type);
  add_word(app, "data-format", read.format, {"csv", "tsv", "libsvm", "npy", "mtx"},
           "format of DATA (default: by its ending, else by its first line)");
  auto* const named = app.add_flag_callback(
      "--header", [&read] { read.header = "yes"; },
      "the first line of a .csv or .tsv file names the columns (default: the same, but refused if it is all numbers)");
  app.add_flag_callback(
         "--no-header", [&read] { read.header = "no"; },
         "it is data, and the columns are x0, x1, ...; --target 4 is x4")
      ->excludes(named);
  add_word(app, "missing", read.missing, {"refuse", "drop", "mean"},
           "cells that are empty, NA, N/A, NaN, null or ?: refuse them, drop their rows, or fill in the column's mean "
           "(default refuse)");
  add_word(app, "categorical", read.categorical, {"refuse", "onehot"},
           "columns of words: refuse them, or make a feature column=level of each word (default refuse)");
}

void add_model(CLI::App& app, std::string& model) {
  app.add_option("MODEL", model, "what fit or prove wrote with -o")->type_name(file_type);
}

void require_argument(std::string_view name, const std::string& value, std::string_view expected) {
  if (value.empty()) throw Error(ErrorCode::Usage, fmt::format("{}: is not set; expected {}", name, expected));
}

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

bool parse(CLI::App& app, std::vector<std::string> arguments, std::string_view expected) {
  app.set_version_flag("--version", fmt::format("ellzero {}", version));
  app.allow_extras();  // reported by refuse_extras, with a suggestion
  app.get_formatter()->column_width(40);
  if (arguments == std::vector<std::string>{list_options_flag}) {
    write_stdout(options_as_json(app));
    return false;
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    app.exit(asked, text, text);
    write_stdout(text.str());
    return false;
  } catch (const CLI::FileError&) {  // which does not say why
    refuse_config(app.get_config_ptr()->as<std::string>());
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorCode::Usage, error.what());
  }
  refuse_extras(app, expected);
  refuse_empty_names(app);
  return true;
}

}  // namespace ellzero::cli
