// `ellzero fit`: reads a data file, fits one model, prints it.
#include <utility>

#include "cli/commands.hpp"
#include "cli/run_solver.hpp"

namespace ellzero::cli {

int run_fit(std::vector<std::string> arguments) {
  return run_solver("fit", "Choose the best few features, and say how good the choice is.", std::move(arguments));
}

}  // namespace ellzero::cli
