// `ellzero prove`: fits one model, then searches until it is proved to be the best.
#include <utility>

#include "cli/commands.hpp"
#include "cli/run_solver.hpp"

namespace ellzero::cli {

int run_prove(std::vector<std::string> arguments) {
  return run_solver("prove", "Choose the best few features, and prove that no others are better.",
                    std::move(arguments));
}

}  // namespace ellzero::cli
