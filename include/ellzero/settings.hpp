// What a user may choose, with its defaults; the table that describes every field is in settings_table.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ellzero/dataset.hpp"

namespace ellzero {

struct Settings {
  std::string loss = "squared";
  double hinge_width = 1;
  std::optional<double> lambda0;
  double lambda1 = 0;
  std::optional<double> lambda2;
  std::optional<Index> k;
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<Index> always;
  bool intercept = true;
  bool standardize = true;
  std::string effort = "default";
  double gap = 1e-4;
  std::optional<double> time_limit;
  std::optional<Index> node_limit;
  std::optional<double> memory_limit;
  int seed = 0;
  int threads = 0;
  std::string method = "engine";
  std::optional<double> step;
  double add_factor = 4;
  double tolerance = 1e-6;
  int max_iterations = 1000000;
  std::string screening = "safe";
  bool adding = true;
  std::vector<double> lambda0_grid;
  std::vector<double> lambda1_grid;
  std::vector<double> lambda2_grid;
  int grid_size = 100;
  std::optional<Index> max_nonzeros;
  std::string select = "cv";
  std::string rule = "auto";
  std::string metric = "auto";
  std::optional<Index> folds;
  std::optional<Index> repeats;
  std::optional<double> relax;
};

}  // namespace ellzero
