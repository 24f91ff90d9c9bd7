// The program `ellzero`: finds the sub-command, runs it, and turns what it throws into a message and an exit code.
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/interrupts.hpp"
#include "cli/streams.hpp"
#include "ellzero/error.hpp"
#include "ellzero/version.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"

namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(std::vector<std::string> arguments);
};

constexpr Command commands[] = {
    {"fit", "choose the best few features, and say how good the choice is", ellzero::cli::run_fit},
    {"prove", "the same, and search until it is proved that no others are better", ellzero::cli::run_prove},
    {"path", "a whole family of models, from the sparsest on", ellzero::cli::run_path},
    {"cv", "how well each model of a path predicts samples that it has not seen", ellzero::cli::run_cv},
    {"verify", "check a model, and its proof, from scratch", ellzero::cli::run_verify},
    {"predict", "what a model says about new rows, one line each", ellzero::cli::run_predict},
    {"inspect", "what a model file holds", ellzero::cli::run_inspect},
    {"convert", "write data in another format", ellzero::cli::run_convert},
    {"report", "write a model as one HTML file: charts, proof, residuals, features", ellzero::cli::run_report},
};

std::string help() {
  std::string text = fmt::format(
      "ellzero {}: best subset selection with proof\n\nUsage: ellzero COMMAND ...\n\nCommands:\n", ellzero::version);
  for (const Command& command : commands) text += fmt::format("  {:<10}{}\n", command.name, command.summary);
  return text + "\n`ellzero COMMAND --help` lists the options of a command.\n";
}

int run(const std::vector<std::string>& arguments) {
  const std::string word = arguments.empty() ? "" : arguments[0];
  if (word == "--version") {
    ellzero::cli::write_stdout(fmt::format("ellzero {}\n", ellzero::version));
    return 0;
  }
  if (word == "--help" || word == "-h" || word == "help") {
    ellzero::cli::write_stdout(help());
    return 0;
  }
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (word == command.name) return command.run({arguments.begin() + 1, arguments.end()});
    names.emplace_back(command.name);
  }
  if (word.empty()) throw ellzero::Error(ellzero::ErrorCode::Usage, "no command; `ellzero --help` lists them");
  throw ellzero::Error(ellzero::ErrorCode::Usage, fmt::format("no command '{}'{} (`ellzero --help` lists them)", word,
                                                              ellzero::io::suggestion(word, names)));
}

/// Takes no memory for messages of usual length: there may be none left. A longer one gives way to the shortest.
int report(int code, std::string_view message) {
  try {
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "ellzero: {}\n", message);
    if (ellzero::io::has_control(message)) {
      line.clear();
      fmt::format_to(std::back_inserter(line), "ellzero: {}\n", ellzero::io::printable(message));
    }
    ellzero::cli::say({line.data(), line.size()});
  } catch (...) {
    ellzero::cli::say("ellzero: out of memory\n");
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    ellzero::cli::prepare_streams();
    ellzero::cli::catch_interrupts();
    ellzero::cli::catch_lost_files();
    return run({argv + 1, argv + argc});
  } catch (const ellzero::Error& error) {
    return report(static_cast<int>(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return report(static_cast<int>(ellzero::ErrorCode::InputOutput), "out of memory");
  } catch (const std::exception& error) {
    return report(static_cast<int>(ellzero::ErrorCode::Numerical), error.what());
  }
}
