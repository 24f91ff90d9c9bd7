// Several models of one data set as text for people, JSON for programs, or CSV for tables.
#pragma once

#include <string>
#include <vector>

#include "cli/print.hpp"
#include "ellzero/pool.hpp"

namespace ellzero::cli {

struct PathReport {
  std::string title;                     ///< what kind of models these are
  std::vector<Report> models;            ///< one at least
  const Pool* pool = nullptr;            ///< whose models they are: they go by their rank, others by k
  bool grid = false;                     ///< the models of a grid of lambda0 or k: a row for each
  const Selection* selection = nullptr;  ///< cross-validation of the grid
  double seconds = 0;                    ///< that the grid took
};

/// A table of k or rank, objective, gap, status and features, and the notes; of a grid that of print_grid.hpp.
std::string path_as_text(const PathReport& path, bool color);
/// One object of schema ellzero.path/1 whose models are objects of ellzero.result/1.
std::string path_as_json(const PathReport& path);
/// Rows of k or rank, objective, lower bound, status, feature, index and value, the intercept of each model first; of
/// a grid those of print_grid.hpp.
std::string path_as_csv(const PathReport& path);

}  // namespace ellzero::cli
