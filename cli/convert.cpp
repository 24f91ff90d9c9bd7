// `ellzero convert`: reads data of one format and writes it in another, every number exactly.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/file_checks.hpp"
#include "cli/flags.hpp"
#include "cli/streams.hpp"
#include "ellzero/error.hpp"
#include "io/table/data_file.hpp"
#include "io/table/write_table.hpp"

namespace ellzero::cli {
namespace {

std::vector<NamedFile> outputs_of(const std::string& out, const io::table::ReadOptions& read) {
  std::vector<NamedFile> outputs = {{"OUT", out}, {"the target of OUT", io::table::file_beside(out, "target")}};
  if (!read.weights.empty()) outputs.push_back({"the weights of OUT", io::table::file_beside(out, "weights")});
  if (!read.offset.empty()) outputs.push_back({"the offset of OUT", io::table::file_beside(out, "offset")});
  return outputs;
}

}  // namespace

int run_convert(std::vector<std::string> arguments) {
  std::string in, out;
  io::table::ReadOptions read;
  bool quiet = false;
  CLI::App app("Write data in another format; numbers read back exactly.", "ellzero convert");
  app.add_option("IN", in, "data to read, or - for stdin")->type_name(file_type);
  app.add_option("OUT", out, "file to write: .csv, .tsv, .svm, .npy or .mtx, packed with .gz or .bz2 behind it")
      ->type_name(file_type);
  add_data_flags(app, read);
  app.add_flag("-q,--quiet", quiet, "no notes");
  if (!parse(app, std::move(arguments), "two files")) return 0;
  require_argument("IN", in, "a data file, or - for stdin");
  require_argument("OUT", out, "a file to write");
  if (!read.folds.empty())
    refuse_value("folds-column", read.folds, "none: folds are for cross-validation, and what is converted keeps them");
  check_files(data_files("IN", in, read), outputs_of(out, read));
  read.words = true;
  const io::table::Table table = io::table::read_table(in, read);
  const auto rows = static_cast<std::size_t>(table.rows());
  const std::pair<const char*, std::size_t> lengths[] = {
      {"target", table.y.size()}, {"weights", table.weights.size()}, {"offset", table.offset.size()}};
  for (const auto& [role, length] : lengths)
    if (length != rows && (length != 0 || role == lengths[0].first))
      throw Error(ErrorCode::Data, fmt::format("{}: length is {}; expected {}", role, length, rows));
  auto notes = table.notes;
  for (std::string& note : io::table::write_table(out, table)) notes.push_back(std::move(note));
  if (!quiet) say_notes(notes);
  table.check_unchanged();
  return 0;
}

}  // namespace ellzero::cli
