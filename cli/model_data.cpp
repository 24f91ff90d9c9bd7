// Reading and comparing behind model_data.hpp.
#include "cli/model_data.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/labels.hpp"
#include "ellzero/error.hpp"
#include "io/data_file.hpp"

namespace ellzero::cli {

io::ReadOptions read_as_fitted(io::ReadOptions said, const io::Model& model) {
  const auto take = [](std::string& word, const std::string& otherwise) {
    if (word.empty()) word = otherwise;
  };
  take(said.target, model.read.target);
  take(said.weights, model.read.weights);
  take(said.offset, model.read.offset);
  take(said.missing, model.read.missing);
  take(said.categorical, model.read.categorical);
  said.model_header = model.read.header;
  said.words = is_classifier(model.settings.loss);
  return said;
}

ModelData read_model_data(const std::string& path, io::ReadOptions said, const io::Model& model) {
  const io::ReadOptions read = read_as_fitted(std::move(said), model);
  ModelData data{io::read_table(path, read), {}};
  if (read.words) data.classes = map_labels(data.table, model.settings.loss);
  return data;
}

void check_model_data(const io::Model& model, const ModelData& data, const io::Fingerprint& found) {
  const io::Table& table = data.table;
  const auto fail = [](const std::string& text) { throw Error(ErrorCode::Numerical, "DATA: " + text); };
  if (found.rows != model.data.rows || found.columns != model.data.columns)
    fail(fmt::format("has {} rows and {} features; the model is of {} and {}", found.rows, found.columns,
                     model.data.rows, model.data.columns));
  if (found.hash != model.data.hash)
    fail(fmt::format("its numbers have the hash {:016x}; the model is of data with {:016x}", found.hash,
                     model.data.hash));
  if (!table.names.empty() && !model.names.empty() && table.names != model.names)
    fail("its features have other names than those of the model");
  if (data.classes != model.classes)
    fail(fmt::format("its classes, the lower one first, are {}; those of the model are {}",
                     fmt::join(data.classes, ", "), fmt::join(model.classes, ", ")));
  if (table.encoding != model.encoding) fail("its words or missing cells become other numbers than those of the model");
}

}  // namespace ellzero::cli
