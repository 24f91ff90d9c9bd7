// Printing several models of one data set: what --every-k, --pool, path and cv find.
#pragma once

#include <span>

#include "cli/input.hpp"
#include "cli/options.hpp"
#include "cli/print_path.hpp"
#include "ellzero/result.hpp"

namespace ellzero::cli {

/// Puts the results into `path` and prints it in the format of the options.
void print_models(PathReport path, std::span<const Result> results, const Input& input, const Options& options);

/// All sizes at once; the exit code is that of the model that fared worst.
int print_every_k(const Input& input, const Options& options);
int print_pool(const Input& input, const Options& options);

}  // namespace ellzero::cli
