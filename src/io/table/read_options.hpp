// What a user says about a data file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/table/encoding.hpp"

namespace ellzero::io::table {

/// Empty means: not said. CSV and TSV name columns; for .npy and .mtx data the four are files of their own.
struct ReadOptions {
  std::string format = "";   ///< csv, tsv, libsvm, npy, mtx; not said: by the file's ending, then by its first bytes
  std::string target = "";   ///< not said: the column called "target", else the last
  std::string weights = "";  ///< not said: none
  std::string offset = "";   ///< not said: none
  std::string folds = "";    ///< not said: none
  bool words = false;        ///< targets may be two words in place of numbers
  std::string missing = "";  ///< refuse, drop (rows), mean (fill in the column's); not said: refuse
  std::string categorical = "";  ///< refuse, onehot (columns of words); not said: refuse
  std::string header = "";  ///< of CSV and TSV: yes, no; not said: yes, but a first line of numbers alone is refused
  std::string model_header = "";  ///< what was said of the data that a model comes from; `header` takes precedence

  /// To predict: these columns alone (of files that name them), no target, and cells that become the numbers they were.
  struct Known {
    std::vector<std::string> columns;
    std::string offset = "";  ///< the column that the model was fitted with; one that `offset` says goes first
    std::vector<Category> categories;
    std::vector<std::pair<std::string, double>> means;  ///< of all features of the model, by name, in its order
    /// Without a header columns are known by their position, so that only files of these widths will do.
    std::vector<std::size_t> widths = {};
  };
  std::optional<Known> known = {};

  [[nodiscard]] const std::string& header_said() const { return header.empty() ? model_header : header; }
  [[nodiscard]] bool refuses_missing() const { return missing.empty() || missing == "refuse"; }
};

}  // namespace ellzero::io::table
