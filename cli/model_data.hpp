// The data of a model, read as the model has seen it and checked to be the same.
#pragma once

#include <string>

#include "io/fingerprint.hpp"
#include "io/model.hpp"
#include "io/table.hpp"

namespace ellzero::cli {

/// What the command line says about columns goes before what the model remembers.
io::Table read_model_data(const std::string& path, io::ReadOptions said, const io::Model& model);

/// Throws Error(Numerical) unless shape, numbers and names are those that the model was fitted to.
void check_model_data(const io::Model& model, const io::Table& table, const io::Fingerprint& found);

}  // namespace ellzero::cli
