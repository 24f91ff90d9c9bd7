// Class labels of a file, turned into the numbers that a classifier's loss wants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/table/table.hpp"

namespace ellzero::cli {

bool is_classifier(std::string_view loss);

/// Replaces table.y: of the two labels the first in sorted order becomes the loss's lower target, the second its upper.
/// Adds a note unless they are just that already, and returns both labels, the lower one first. Throws Error(Data)
/// unless there are exactly two.
std::vector<std::string> map_labels(io::table::Table& table, std::string_view loss);

/// A note where the targets are 0 and 1, or -1 and 1, and nothing else: they look like classes.
void note_two_values(io::table::Table& table);

}  // namespace ellzero::cli
