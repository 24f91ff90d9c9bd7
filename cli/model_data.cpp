// Reading and comparing behind model_data.hpp.
#include "cli/model_data.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/file_checks.hpp"
#include "cli/labels.hpp"
#include "ellzero/error.hpp"
#include "io/table/data_file.hpp"

namespace ellzero::cli {

io::table::ReadOptions read_as_fitted(io::table::ReadOptions said, const io::model::Model& model) {
  const auto take = [](std::string& word, const std::string& otherwise) {
    if (word.empty()) word = otherwise;
  };
  take(said.target, model.read.target);
  take(said.weights, model.read.weights);
  take(said.offset, model.read.offset);
  take(said.folds, model.read.folds);
  take(said.missing, model.read.missing);
  take(said.categorical, model.read.categorical);
  said.model_header = model.read.header;
  said.words = is_classifier(model.settings.loss);
  return said;
}

namespace {

/// Files that nobody but the model names: it may come from anywhere, and name any file of the user's.
std::vector<NamedFile> files_of_model(const std::string& path, const io::table::ReadOptions& said,
                                      const io::table::ReadOptions& read) {
  const auto by_user = data_files("DATA", path, said);
  auto files = data_files("DATA", path, read);
  for (std::size_t f = 0; f < files.size(); ++f)
    if (!by_user[f].path.empty()) files[f].path.clear();
  std::erase_if(files, [](const NamedFile& file) { return file.path.empty(); });
  return files;
}

/// A pipe would be waited for, and a device may do anything when it is read.
void refuse_special_files(const std::vector<NamedFile>& files) {
  using std::filesystem::file_type;
  for (const NamedFile& file : files) {
    std::error_code missing;
    const auto kind = std::filesystem::status(file.path, missing).type();
    if (kind == file_type::fifo || kind == file_type::character || kind == file_type::block ||
        kind == file_type::socket)
      throw Error(ErrorCode::Data, fmt::format("{}: is no regular file, and only the model names it; expected one ({} "
                                               "FILE says another)",
                                               file.path, file.flag));
  }
}

/// Whether what was found wrong with the columns' roles is what the model says of them, and not the user.
bool is_model_to_blame(std::string_view message, const io::table::ReadOptions& said,
                       const io::table::ReadOptions& read) {
  const auto only_model = [&](std::string_view role, const std::string& by_user, const std::string& by_model) {
    return by_user.empty() && !by_model.empty() && message.starts_with(fmt::format("{}:", role));
  };
  const bool user_says_nothing =
      said.target.empty() && said.weights.empty() && said.offset.empty() && said.folds.empty();
  return only_model("target", said.target, read.target) || only_model("weights", said.weights, read.weights) ||
         only_model("offset", said.offset, read.offset) || only_model("folds-column", said.folds, read.folds) ||
         (user_says_nothing && message.starts_with("target, weights, offset"));
}

/// A refusal shows what it has found, which must not be shown of a file that only the model names.
io::table::Table read_discreetly(const std::string& path, const io::table::ReadOptions& said,
                                 const io::table::ReadOptions& read, const std::vector<NamedFile>& files) {
  try {
    return io::table::read_table(path, read);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Usage && is_model_to_blame(error.what(), said, read))
      throw Error(ErrorCode::Data, fmt::format("model: data.{}", error.what()));
    for (const NamedFile& file : files)
      if (error.code() == ErrorCode::Data && std::string_view(error.what()).starts_with(file.path + ":"))
        throw Error(ErrorCode::Data, fmt::format("{}: is no file of numbers, and only the model names it; expected one "
                                                 "({} FILE says another)",
                                                 file.path, file.flag));
    throw;
  }
}

}  // namespace

ModelData read_model_data(const std::string& path, const io::table::ReadOptions& said, const io::model::Model& model) {
  const io::table::ReadOptions read = read_as_fitted(said, model);
  const auto files = files_of_model(path, said, read);
  refuse_special_files(files);
  ModelData data{read_discreetly(path, said, read, files), {}};
  if (read.words) data.classes = map_labels(data.table, model.settings.loss);
  return data;
}

void check_model_data(const io::model::Model& model, const ModelData& data, const io::model::Fingerprint& found) {
  const io::table::Table& table = data.table;
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
