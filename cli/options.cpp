// CLI11 behind options.hpp: flags come from settings_table(), values are read here, validate() checks their ranges.
#include "cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cli/file_checks.hpp"
#include "cli/flags.hpp"
#include "cli/idle_options.hpp"
#include "ellzero/error.hpp"
#include "ellzero/settings_table.hpp"
#include "io/bytes/input_guard.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"
#include "io/table/number.hpp"

namespace ellzero::cli {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

/// Reads a value of one of the types that Settings has; the range is checked later, by validate().
void read_value(const Setting& setting, const std::string& name, std::string_view text, double& value) {
  const auto number = io::table::number_of(text);
  if (!number) refuse_value(name, text, fmt::format("a number, {}", range_text(setting)));
  value = *number;
}
template <class Whole>
requires std::is_integral_v<Whole>
void read_value(const Setting& setting, const std::string& name, std::string_view text, Whole& value) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) refuse_value(name, text, "a whole number, " + range_text(setting));
}
void read_value(const Setting& /*setting*/, const std::string& /*name*/, std::string_view text, std::string& value) {
  value = text;
}
template <class T>
void read_value(const Setting& setting, const std::string& name, std::string_view text, std::optional<T>& value) {
  if (text == "auto") return value.reset();  // as where it is not set
  read_value(setting, name, text, value.emplace());
}
template <class T>
void read_value(const Setting& setting, const std::string& name, std::string_view text, std::vector<T>& values) {
  for (const std::string& part : split(text)) read_value(setting, name, part, values.emplace_back());
}

std::string dashed(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

/// What stands behind a flag in the help.
std::string placeholder(const Setting& setting) {
  if (!setting.choices.empty()) return fmt::format("{}", fmt::join(setting.choices, "|"));
  const std::string type = type_text(setting);
  if (type == "list of numbers") return "NUMBER[,...]";
  if (type == "list of features") return "NAME[,...]";
  return type == "whole number" ? "INTEGER" : "NUMBER";
}

std::string help_text(const Setting& setting) {
  const std::string chosen = default_text(setting);
  if (!setting.choices.empty()) return fmt::format("{} (default {})", setting.help, chosen);
  if (type_text(setting) == "list of features")
    return fmt::format("{} (names, or indices from 0; default {})", setting.help, chosen);
  return fmt::format("{} ({}; default {})", setting.help, range_text(setting), chosen);
}

/// Adds the flag of one row of the table, by the type of its field.
struct FlagMaker {
  CLI::App& app;
  const Setting& setting;
  Options& options;
  bool hidden;

  void operator()(bool Settings::*member) const {
    const bool otherwise = !(Settings{}.*member);
    app.add_flag_callback((otherwise ? "--" : "--no-") + dashed(setting.name),
                          [&settings = options.settings, member, otherwise] { settings.*member = otherwise; },
                          (otherwise ? "" : "do not ") + std::string(setting.help));
  }
  void operator()(std::vector<Index> Settings::* /*always*/) const {
    add([&always = options.always](const std::string& text) { always = split(text); })->join(',');
  }
  void operator()(std::vector<double> Settings::*member) const { add_reader(member)->join(','); }
  template <class T>
  void operator()(T Settings::*member) const {
    add_reader(member);
  }

 private:
  template <class T>
  CLI::Option* add_reader(T Settings::*member) const {
    return add([&row = setting, &settings = options.settings, member](const std::string& text) {
      read_value(row, dashed(row.name), text, settings.*member);
    });
  }
  [[nodiscard]] CLI::Option* add(const std::function<void(const std::string&)>& read) const {
    auto* const option = app.add_option_function("--" + dashed(setting.name), read, help_text(setting));
    if (hidden) option->group("");
    return option->type_name(placeholder(setting));
  }
};

/// --pool and --pool-size; pool() checks the ranges.
void add_pool_flags(CLI::App& app, Options& options) {
  const auto pool = [&options]() -> PoolSettings& { return options.pool ? *options.pool : options.pool.emplace(); };
  auto* const margin = app.add_option_function<std::string>(
      "--pool",
      [pool](const std::string& text) {
        const auto number = io::table::number_of(text);
        if (!number) refuse_value("pool", text, "a number, 0 or above");
        pool().margin = *number;
      },
      "every model whose objective is within NUMBER times the best objective of it, in place of one");
  margin->type_name("NUMBER");
  app.add_option_function<std::string>(
         "--pool-size",
         [pool](const std::string& text) {
           const char* const last = text.data() + text.size();
           const auto [end, error] = std::from_chars(text.data(), last, pool().size);
           if (error != std::errc() || end != last) refuse_value("pool-size", text, "a whole number, 1 or above");
         },
         fmt::format("with --pool, list the best so many at most (default {})", PoolSettings{}.size))
      ->type_name("INTEGER")
      ->needs(margin);
}

constexpr std::string_view method_settings[] = {"method",         "step",      "add_factor", "tolerance",
                                                "max_iterations", "screening", "adding"};
constexpr std::string_view proof_settings[] = {"node_limit", "memory_limit"};
constexpr std::string_view cv_settings[] = {"rule", "metric", "folds", "repeats", "relax"};

/// Whether a setting has a flag in a command.
bool is_known(std::string_view command, std::string_view name) {
  const auto is_one_of = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  if (command == "fit") return true;
  if (command == "prove") return name == "method" || !is_one_of(method_settings);
  if (is_one_of(method_settings) || is_one_of(proof_settings) || name == "select") return false;
  return command == "cv" || !is_one_of(cv_settings);
}

/// A flag that is only there to be refused by name stays out of the help.
bool is_hidden(std::string_view command, std::string_view name) {
  return command == "prove" ? name == "method" : command != "fit" && name == "lambda0";
}

void add_files_and_output(CLI::App& app, Options& options, std::string_view command) {
  const bool proves = command == "prove", fits = command == "fit";
  app.add_option("DATA", options.data, "csv, tsv, LIBSVM text, npy or mtx; also .gz, .bz2; - is stdin")
      ->type_name(file_type);
  add_data_flags(app, options.read);
  if (proves)
    app.add_option("--proof", options.proof, "write the proof to this file, for `ellzero verify`")
        ->type_name(file_type);
  if (proves || fits) {
    app.add_option("-o,--output", options.model, "write the model to this file, as JSON")->type_name(file_type);
    app.add_flag("--every-k", options.every_k, "the best model of every size, up to --k where that is set");
    add_pool_flags(app, options);
  }
  if (fits)
    app.add_option("--trace", options.trace, "write every iteration of a published method to this file, as CSV")
        ->type_name(file_type);
  add_word(app, "format", options.format, {"text", "json", "csv"}, "what to print (default text)");
  add_word(app, "progress", options.progress, {"auto", "never", "json"},
           "what to say on stderr meanwhile (default auto: only on a terminal; json: one object per line)");
  add_word(app, "color", options.color, {"auto", "always", "never"},
           "colours in text (default auto: on a terminal, unless NO_COLOR is set)");
  auto* const quiet = app.add_flag("-q,--quiet", options.quiet, "no notes and no progress");
  app.add_flag("-v,--verbose", options.verbose,
               "say on stderr what was read, and progress as a table even without a terminal")
      ->excludes(quiet);
}

/// The text of a --config file. It may be a pipe or a device that never ends, so no more than a few lines are read.
std::string config_text(std::istream& input, const std::string& name) {
  constexpr std::size_t most = 1000000;
  std::string text(most + 1, '\0');
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(input.gcount()));
  io::bytes::InputGuard("config: " + name).look_at_start(std::as_bytes(std::span(text)));
  if (text.size() > most)
    throw Error(ErrorCode::Data,
                fmt::format("config: {}: has more than {} bytes; expected lines like k = 5", name, most));
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

/// CLI11 passes over lines of one or two characters, which mean something only within a list.
void refuse_short_lines(const std::string& text, const std::string& name) {
  constexpr std::size_t shortest = 3;
  std::istringstream lines(text);
  bool in_list = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    CLI::detail::trim(line);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (!in_list && line.size() < shortest)
      io::refuse("config: " + name, {number, 1}, fmt::format("found {}; expected lines like k = 5", io::shown(line)));
    const auto value = line.find_first_not_of(" \t", std::min(line.find('='), line.size() - 1) + 1);
    in_list = (in_list || (value != std::string::npos && line[value] == '[')) && line.back() != ']';
  }
}

/// CLI11 passes over keys of the file that it does not know; we do not.
class StrictConfig : public CLI::ConfigTOML {
 public:
  explicit StrictConfig(const CLI::App& app) : app_(&app) {}

  [[nodiscard]] std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    const std::string name = app_->get_config_ptr()->as<std::string>();
    const std::string text = config_text(input, name);
    refuse_short_lines(text, name);
    auto entries = parsed(text, name);
    const auto names = flag_names(*app_);
    for (const CLI::ConfigItem& item : entries)
      if (std::find(names.begin(), names.end(), item.fullname()) == names.end())
        throw Error(ErrorCode::Usage, fmt::format("config: no option {}{}", io::shown(item.fullname()),
                                                  io::suggestion(item.fullname(), names)));
    return entries;
  }

 private:
  /// What CLI11 throws at text that is no list of settings says nothing about it.
  [[nodiscard]] std::vector<CLI::ConfigItem> parsed(const std::string& text, const std::string& name) const {
    try {
      std::istringstream lines(text);
      return CLI::ConfigTOML::from_config(lines);
    } catch (const std::exception&) {
      throw Error(ErrorCode::Data,
                  fmt::format("config: {}: cannot be read as settings; expected lines like k = 5", name));
    }
  }

  const CLI::App* app_;
};

void check_option_files(const Options& options, const std::string& config) {
  auto inputs = data_files("DATA", options.data, options.read);
  inputs.push_back({"--config", config});
  check_files(inputs, {{"--output", options.model}, {"--proof", options.proof}, {"--trace", options.trace}});
}

}  // namespace

std::optional<Options> parse_options(std::string_view command, std::string_view summary,
                                     std::vector<std::string> arguments) {
  Options options;
  CLI::App app(std::string(summary), fmt::format("ellzero {}", command));
  add_files_and_output(app, options, command);
  for (const Setting& setting : settings_table())
    if (is_known(command, setting.name))
      std::visit(FlagMaker{app, setting, options, is_hidden(command, setting.name)}, setting.member);
  app.set_config("--config", "", "read options from FILE, lines like k = 5")->type_name(file_type);
  app.config_formatter(std::make_shared<StrictConfig>(app));
  if (!parse(app, std::move(arguments), "one data file")) return std::nullopt;
  require_argument("DATA", options.data, "a data file, or - for stdin");
  options.gap_given = app.get_option("--gap")->count() > 0;
  options.loss_given = app.get_option("--loss")->count() > 0;
  validate(options.settings);
  const auto is_given = [&app](const std::string& flag) {
    const auto* const option = app.get_option_no_throw("--" + flag);
    return option != nullptr && option->count() > 0;
  };
  refuse_idle_options(command, options, is_given);
  for (const char* const flag : {"folds", "repeats"})
    if (!options.read.folds.empty() && is_given(flag))
      throw Error(ErrorCode::Usage, fmt::format("{}: is set; expected none beside --folds-column", flag));
  check_option_files(options, app["--config"]->count() > 0 ? app["--config"]->as<std::string>() : "");
  return options;
}

}  // namespace ellzero::cli
