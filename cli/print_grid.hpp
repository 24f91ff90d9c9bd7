// The models of a grid, one row for each: as text with what enters and leaves, as CSV with all coefficients.
#pragma once

#include <string>

#include "cli/print_path.hpp"

namespace ellzero::cli {

/// A table of lambda0 or k, features, objective, gap and status, or of the cross-validation scores with marks for the
/// best and the chosen model; and the notes.
std::string grid_as_text(const PathReport& path, bool color);
/// A column for each number, then the intercept and every feature that any of the models uses; unknown ones are empty.
std::string grid_as_csv(const PathReport& path);

}  // namespace ellzero::cli
