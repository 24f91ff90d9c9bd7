// What the command lines of all sub-commands share: flags about data, words with choices, refusals with suggestions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/table/read_options.hpp"

namespace ellzero::cli {

/// What stands behind an option in the help whose value is a file; an empty name of one is refused.
inline constexpr const char* file_type = "FILE";

/// Throws Error(Usage): "name: value is 'text'; expected ..."
[[noreturn]] void refuse_value(const std::string& name, std::string_view text, std::string_view expected);

/// A flag whose value is one of a few words.
void add_word(CLI::App& app, const std::string& name, std::string& value, std::vector<std::string> choices,
              const std::string& help);
/// --target, --weights, --offset, --folds-column, --data-format, --header, --no-header, --missing, --categorical
void add_data_flags(CLI::App& app, io::table::ReadOptions& read);

/// MODEL, a file.
void add_model(CLI::App& app, std::string& model);
/// Throws Error(Usage): "name: is not set; expected ..."
void require_argument(std::string_view name, const std::string& value, std::string_view expected);

std::vector<std::string> flag_names(const CLI::App& app);

/// False when help or version was asked for (and printed). Throws Error(Usage) for what is misspelt or too much,
/// `expected` being what may stand there, and Error(InputOutput) for a --config file that cannot be read.
bool parse(CLI::App& app, std::vector<std::string> arguments, std::string_view expected);

}  // namespace ellzero::cli
