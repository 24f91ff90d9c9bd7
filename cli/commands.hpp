// The sub-commands of `ellzero`, one file each; each returns the program's exit code.
#pragma once

#include <string>
#include <vector>

namespace ellzero::cli {

int run_cv(std::vector<std::string> arguments);
int run_fit(std::vector<std::string> arguments);
int run_path(std::vector<std::string> arguments);
int run_prove(std::vector<std::string> arguments);
int run_report(std::vector<std::string> arguments);
int run_verify(std::vector<std::string> arguments);
int run_predict(std::vector<std::string> arguments);
int run_inspect(std::vector<std::string> arguments);
int run_convert(std::vector<std::string> arguments);

}  // namespace ellzero::cli
