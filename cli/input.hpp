// The data of a command: read from its file, labels and feature names resolved.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "ellzero/dataset.hpp"
#include "io/table/table.hpp"

namespace ellzero::cli {

struct Input {
  io::table::Table table;
  std::vector<std::string> classes;  ///< the labels that became the lower and the upper target; empty for regression
  std::vector<Split> splits;         ///< of --folds-column
  double read_seconds = 0;

  /// Borrows from this.
  [[nodiscard]] Dataset data() const { return {table.matrix(), table.y, table.weights, table.offset, splits}; }
};

/// Puts the indices of --always into options.settings, too. Throws Error for what cannot be read.
Input read_input(Options& options);

}  // namespace ellzero::cli
