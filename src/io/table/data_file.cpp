// The choice of the reader behind data_file.hpp.
#include "io/table/data_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/bytes/file_bytes.hpp"
#include "io/refusal.hpp"
#include "io/table/csv.hpp"
#include "io/table/heading.hpp"
#include "io/table/libsvm.hpp"
#include "io/table/matrix_market.hpp"
#include "io/table/missing.hpp"
#include "io/table/npy.hpp"
#include "io/table/vector_file.hpp"

namespace ellzero::io::table {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// "label index:" at the start of a line, as no CSV has it.
bool looks_like_libsvm(std::string_view line) {
  const auto label_end = line.find_first_of(" \t");
  if (label_end == std::string_view::npos || line.substr(0, label_end).find_first_of(",;:\"") != std::string_view::npos)
    return false;
  const auto index = line.find_first_not_of(" \t", label_end);
  if (index == std::string_view::npos) return false;
  const auto index_end = line.find_first_not_of("0123456789", index);
  return index_end != std::string_view::npos && index_end > index && line[index_end] == ':';
}

/// Behind empty lines and comments; empty where there is none.
std::string_view first_line(std::string_view text) {
  std::size_t start = 0;
  while (start < text.size() && (text[start] == '\n' || text[start] == '\r' || text[start] == '#'))
    start = std::min(text.find('\n', start), text.size() - 1) + 1;
  return text.substr(start, text.find('\n', start) - start);
}

std::string format_by_content(const std::string& name, std::string_view text) {
  if (is_npy(text)) return "npy";
  if (is_matrix_market(text)) return "mtx";
  const std::string_view line = first_line(text);
  if (looks_like_libsvm(line)) return "libsvm";
  const auto tabs = std::count(line.begin(), line.end(), '\t');
  const auto commas = std::count_if(line.begin(), line.end(), [](char c) { return c == ',' || c == ';'; });
  if (tabs + commas > 0) return tabs > commas ? "tsv" : "csv";
  refuse(name,
         "cannot tell its format from its ending or its first line; expected csv, tsv, libsvm, npy or mtx (say "
         "which with --data-format)");
}

/// Data without a target of its own: all of them are files.
void read_vectors(const std::string& name, Table& table, const ReadOptions& options) {
  if (options.target.empty() && !options.known)
    throw Error(
        ErrorCode::Usage,
        fmt::format("target: is not set; {} needs the file of its targets (.npy, .mtx, or one number per line)", name));
  if (!options.target.empty()) table.y = read_vector(options.target);
  if (!options.weights.empty()) table.weights = read_vector(options.weights);
  if (!options.offset.empty()) table.offset = read_vector(options.offset);
  if (!options.folds.empty()) table.folds = read_vector(options.folds);
  const auto check = [&](std::string_view role, const std::string& file, const std::vector<double>& values) {
    if (!file.empty() && std::ssize(values) != table.rows())
      throw Error(ErrorCode::Data, fmt::format("{}: length is {}; expected {}, the number of rows of X", role,
                                               values.size(), table.rows()));
  };
  check("y", options.target, table.y);
  check("weights", options.weights, table.weights);
  check("offset", options.offset, table.offset);
  check("folds-column", options.folds, table.folds);
}

void refuse_column_names(const ReadOptions& options) {
  const auto check = [](std::string_view role, const std::string& name) {
    if (!name.empty())
      throw Error(ErrorCode::Usage,
                  fmt::format("{}: value is {}; expected nothing, as LIBSVM text has a label on every "
                              "line and no named columns",
                              role, shown(name)));
  };
  check("target", options.target);
  check("weights", options.weights);
  check("offset", options.offset);
  check("folds-column", options.folds);
}

void refuse_header(const std::string& format, const ReadOptions& options) {
  if (!options.header.empty())
    throw Error(ErrorCode::Usage, fmt::format("{}header: is set; expected it only with csv and tsv, and not with {}",
                                              options.header == "no" ? "no-" : "", format));
}

bool is_table(std::string_view format) { return format == "csv" || format == "tsv"; }

Table read_table_text(const std::string& name, std::string_view text, std::string_view format,
                      const ReadOptions& options, const bytes::Release& release) {
  return read_csv(name, text, format == "csv" ? ',' : '\t', options, release);
}

/// The first lines are read like a file of their own: what is wrong with them is known before the last line is there.
void read_head(const std::string& name, std::string_view head, std::string format, const ReadOptions& options) {
  const std::string_view lines = head.substr(0, head.rfind('\n') + 1);  // none where there is no line end
  if (first_line(lines).empty()) return;
  if (format.empty()) format = format_by_content(name, lines);
  const bool within_quotes = std::count(lines.begin(), lines.end(), '"') % 2 != 0;
  if (is_table(format) && !within_quotes) read_table_text(name, lines, format, options, {});
  if (format == "libsvm") read_libsvm(name, lines, options, {}, false);
}

Table read_format(bytes::FileBytes file, const std::string& format, const ReadOptions& options) {
  const std::string name = file.name();
  if (is_table(format)) return read_table_text(name, file.text(), format, options, file.release());
  refuse_header(format, options);
  if (options.known && !options.known->offset.empty() && options.offset.empty())
    throw Error(ErrorCode::Usage, "offset: is not set; expected a file, as the model was fitted with an offset");
  if (format == "libsvm") {
    refuse_column_names(options);
    return read_libsvm(name, file.text(), options, file.release());
  }
  if (format == "mtx") return read_matrix_market(name, file.text(), options, file.release());
  if (format != "npy")
    throw Error(ErrorCode::Usage, fmt::format("data-format: value is {}; expected csv, tsv, libsvm, npy, mtx", format));
  Table table;
  table.X.emplace<NpyFile>(std::move(file));
  return table;
}

}  // namespace

std::string format_by_ending(const std::string& path) {
  std::string name = lower_case(path);
  for (const std::string_view packed : {".gz", ".bz2"})
    if (name.ends_with(packed)) {
      name.resize(name.size() - packed.size());
      break;
    }
  constexpr std::array<std::pair<std::string_view, const char*>, 8> endings = {{{".csv", "csv"},
                                                                                {".tsv", "tsv"},
                                                                                {".tab", "tsv"},
                                                                                {".svm", "libsvm"},
                                                                                {".libsvm", "libsvm"},
                                                                                {".svmlight", "libsvm"},
                                                                                {".npy", "npy"},
                                                                                {".mtx", "mtx"}}};
  for (const auto& [ending, format] : endings)
    if (name.ends_with(ending)) return format;
  return "";
}

Table read_table(const std::string& path, const ReadOptions& options) {
  const std::string name = bytes::FileBytes::name_of(path);
  std::string format = options.format.empty() ? format_by_ending(path) : options.format;
  bytes::InputGuard guard(name, heading_of(format),
                          [&](std::string_view head) { read_head(name, head, format, options); });
  bytes::FileBytes file(path, &guard);
  if (format.empty()) format = format_by_content(name, file.text());
  Table table = read_format(std::move(file), format, options);
  if (format == "npy" || format == "mtx") read_vectors(name, table, options);
  treat_missing(name, table, options);
  const bool features = table.cols() > 0 || options.known;  // a model may use none
  if (table.rows() < 1 || !features)
    refuse(name, fmt::format("has {} rows and {} features; expected at least one of each", table.rows(), table.cols()));
  return table;
}

}  // namespace ellzero::io::table
