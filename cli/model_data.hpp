// The data of a model, read as the model has seen it and checked to be the same.
#pragma once

#include <string>
#include <vector>

#include "ellzero/dataset.hpp"
#include "io/model/fingerprint.hpp"
#include "io/model/model.hpp"
#include "io/table/table.hpp"

namespace ellzero::cli {

struct ModelData {
  io::table::Table table;
  std::vector<std::string> classes;  ///< the labels that became the lower and the upper target

  /// Borrows: valid while this lives.
  [[nodiscard]] Dataset dataset() const { return {table.matrix(), table.y, table.weights, table.offset}; }
};

/// What the command line says about columns takes precedence over what the model remembers.
io::table::ReadOptions read_as_fitted(io::table::ReadOptions said, const io::model::Model& model);
ModelData read_model_data(const std::string& path, const io::table::ReadOptions& said, const io::model::Model& model);

/// Throws Error(Numerical) unless shape, numbers, names, classes and the way words became numbers are those that the
/// model was fitted to.
void check_model_data(const io::model::Model& model, const ModelData& data, const io::model::Fingerprint& found);

}  // namespace ellzero::cli
