// Reads CSV: a header names the columns, then one pass turns blocks of lines into columns.
//
// 1. Header: names, and with the user's options the role of every column; where words are allowed, their levels.
// 2. Count line ends for an upper bound of the rows, check the size, allocate the columns.
// 3. Cell by cell into a block of rows that stays in cache; a full block is written out column by column.
// A plain number costs one call of the number parser; quotes, spaces, words and errors take the slow path.
#include "io/table/csv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/refusal.hpp"
#include "io/suggestion.hpp"
#include "io/table/csv_cells.hpp"
#include "io/table/csv_columns.hpp"
#include "io/table/number.hpp"

namespace ellzero::io::table {
namespace {

/// Where the numbers of a column go: one column of numbers, or one for each level, `stride` apart.
struct Column {
  CsvRole role;
  const Category* category = nullptr;
  double* to = nullptr;
};

/// Turns lines into rows of numbers, refusing what is none; a word becomes the number of its level.
class Rows {
 public:
  Rows(CsvCells& cells, const CsvHeader& header, std::span<const Column> columns, const ReadOptions& options,
       std::vector<std::string>& classes)
      : cells_(cells), header_(header), columns_(columns), options_(options), classes_(classes) {
    for (const Column& column : columns) {
      const bool words = column.category != nullptr || (column.role == CsvRole::Target && options.words);
      plain_.push_back(words || column.role == CsvRole::Ignored ? 0 : 1);
    }
  }

  /// False at the end of the text.
  bool read(std::span<double> row) {
    if (!cells_.find_line()) return false;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) {
        if (!cells_.at_separator())
          refuse(cells_.file(), cells_.place(),
                 fmt::format("the line has {} cells; the {} has {}", c, first_line(), row.size()));
        cells_.skip_separator();
      }
      if (!plain_[c] || !cells_.take_number(row[c])) row[c] = take_other(c);
    }
    if (cells_.at_separator())
      refuse(cells_.file(), cells_.place(),
             fmt::format("the line has more cells than the {}, {}", first_line(), row.size()));
    cells_.next_line();
    ++row_;
    return true;
  }

  /// Targets that were taken as numbers before a word came up; `y` holds those of all rows.
  void settle(std::span<double> y) const {
    for (double& target : y.first(std::min(rows_of_numbers_, y.size())))
      if (!std::isnan(target)) target = 0;
  }

 private:
  [[nodiscard]] std::string_view first_line() const { return header_.named ? "header" : "first line"; }

  double take_other(std::size_t c) {
    const Place place = cells_.place();
    const auto text = cells_.take_text();
    const Column& column = columns_[c];
    if (column.role == CsvRole::Ignored) return 0;
    if (is_missing(text)) return missing(place, c, text);
    if (column.category != nullptr) return level(place, c, text);
    const auto value = number_of(text);
    if (column.role == CsvRole::Target && options_.words) {
      if (!value && classes_.empty()) begin_words();
      if (!classes_.empty() || !value) return class_of(place, c, text);
      if (numbers_.size() < 2 && std::find(numbers_.begin(), numbers_.end(), text) == numbers_.end())
        numbers_.emplace_back(text);
    }
    if (!value || !std::isfinite(*value))
      refuse(cells_.file(), place,
             fmt::format("column {} holds {}; expected a finite number{}", shown(header_.names[c]), shown(text),
                         value ? "" : hint(column.role, text)));
    return *value;
  }

  /// What the user may have meant by a cell that is no number.
  [[nodiscard]] std::string_view hint(CsvRole role, std::string_view text) const {
    if (!header_.named && row_ == 0) return " (--header takes the first line as column names)";
    std::string point(text);
    std::replace(point.begin(), point.end(), ',', '.');
    if (number_of(point)) return " (with a decimal point, not a comma)";
    if (role == CsvRole::Target) return " (--loss logistic takes two words as classes)";
    return role == CsvRole::Feature ? " (--categorical onehot takes words)" : "";
  }

  double missing(Place place, std::size_t c, std::string_view text) const {
    const bool feature = columns_[c].role == CsvRole::Feature;
    if (options_.missing == "drop" || (feature && !options_.refuses_missing()))
      return std::numeric_limits<double>::quiet_NaN();
    const char* const hint = feature ? " (--missing drop leaves such rows out, --missing mean fills them in)"
                                     : " (--missing drop leaves such rows out)";
    const std::string found =
        text.empty() ? "is empty; expected a number" : fmt::format("holds {}; expected a finite number", shown(text));
    refuse(cells_.file(), place, fmt::format("column {} {}{}", shown(header_.names[c]), found, hint));
  }

  double level(Place place, std::size_t c, std::string_view text) const {
    const auto& levels = columns_[c].category->levels;
    const auto found = std::lower_bound(levels.begin(), levels.end(), text);
    if (found == levels.end() || *found != text)
      refuse(cells_.file(), place,
             fmt::format("column {} holds {}, which was not there when the model was fitted{}", shown(header_.names[c]),
                         shown(text), suggestion(text, levels)));
    return static_cast<double>(found - levels.begin());
  }

  /// One word makes words of all targets. Of the numbers before it no more than one can be a class: it is the first.
  void begin_words() {
    classes_ = std::move(numbers_);
    rows_of_numbers_ = row_;
  }

  double class_of(Place place, std::size_t c, std::string_view word) {
    const auto found = std::find(classes_.begin(), classes_.end(), word);
    if (found != classes_.end()) return static_cast<double>(found - classes_.begin());
    if (classes_.size() == 2)
      refuse(cells_.file(), place,
             fmt::format("column {} holds {} besides {} and {}; expected numbers or two classes",
                         shown(header_.names[c]), shown(word), shown(classes_[0]), shown(classes_[1])));
    require_utf8(cells_.file(), place, "the word", word);
    if (has_control(word))
      refuse(cells_.file(), place,
             fmt::format("column {} holds {}; expected a class without control characters, as predict prints one on "
                         "each line",
                         shown(header_.names[c]), shown(word)));
    classes_.emplace_back(word);
    return static_cast<double>(classes_.size() - 1);
  }

  CsvCells& cells_;
  const CsvHeader& header_;
  std::span<const Column> columns_;
  const ReadOptions& options_;
  std::vector<std::string>& classes_;
  std::vector<char> plain_;  // whether a column's cells are numbers as a rule
  std::size_t row_ = 0;
  std::vector<std::string> numbers_;  // targets that were numbers so far; two of them are enough to know
  std::size_t rows_of_numbers_ = 0;   // before the first word
};

/// At most as many rows as lines are left, and as cells fit into the text: a cell takes at least its separator.
std::size_t rows_at_most(std::string_view rest, std::size_t columns, bytes::Release release) {
  constexpr std::size_t piece = 1 << 20;
  const std::size_t size = rest.size();
  std::size_t lines = 1;
  while (!rest.empty()) {
    const auto part = rest.substr(0, piece);
    lines += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    rest.remove_prefix(part.size());
    release(rest.data());
  }
  return std::min(lines, size / columns + 1);
}

/// Writes the rows of a buffer to the end of a column.
void write_column(const Column& column, std::size_t stride, std::size_t start, std::span<const double> buffer,
                  std::size_t width, std::size_t rows) {
  if (column.category == nullptr) {
    for (std::size_t i = 0; i < rows; ++i) column.to[start + i] = buffer[i * width];
    return;
  }
  for (std::size_t level = 0; level < column.category->levels.size(); ++level)
    for (std::size_t i = 0; i < rows; ++i) {
      const double code = buffer[i * width];
      column.to[level * stride + start + i] =
          std::isnan(code) ? code : static_cast<double>(code == static_cast<double>(level));
    }
}

/// Reads all rows; returns their number.
std::size_t read_columns(Rows& rows, const CsvCells& cells, std::span<const Column> columns, std::size_t stride,
                         bytes::Release release) {
  const std::size_t width = columns.size();
  const std::size_t block = std::clamp<std::size_t>((1 << 15) / width, 8, 64);  // 8 numbers fill a line of the cache
  std::vector<double> buffer(block * width);
  std::size_t written = 0;
  while (true) {
    std::size_t filled = 0;
    while (filled < block && rows.read(std::span(buffer).subspan(filled * width, width))) ++filled;
    for (std::size_t c = 0; c < width; ++c)
      if (columns[c].to != nullptr)
        write_column(columns[c], stride, written, std::span(buffer).subspan(c), width, filled);
    written += filled;
    release(cells.at());
    if (filled < block) return written;
  }
}

/// Empty lines were counted as rows: closes the space they took between the columns.
void close_up(DenseTable& X, std::size_t reserved, std::size_t rows) {
  const auto cols = static_cast<std::size_t>(X.cols);
  if (rows < reserved)
    for (std::size_t j = 1; j < cols; ++j)
      std::copy_n(X.values.begin() + static_cast<Index>(j * reserved), rows,
                  X.values.begin() + static_cast<Index>(j * rows));
  X.values.resize(cols * rows);
  X.rows = static_cast<Index>(rows);
}

/// A level must not be called like another feature: by its name predict() finds it again.
void check_levels(std::string_view file, const std::vector<Category>& categories, std::vector<std::string> names) {
  if (categories.empty()) return;
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    refuse(file, fmt::format("two features are called {}, one of them a level of a column of words; expected different "
                             "names of columns",
                             shown(*twice)));
}

/// ';' stands between cells where the first line has none of the commas that it should have.
bool has_semicolons(std::string_view text) {
  constexpr std::size_t far_enough = 1 << 20;
  bool quoted = false, found = false;
  const std::size_t start = std::min(text.find_first_not_of("\r\n"), text.size());
  for (const char c : text.substr(start, far_enough)) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == ',' || c == '\n') return c == '\n' && found;
    found = found || c == ';';
  }
  return found;
}

/// The features of the file in order, a column of words with one for each level; their names go to the table.
std::vector<Column> lay_out(const CsvHeader& header, const std::vector<Category>& categories, Table& table) {
  std::vector<Column> columns;
  for (std::size_t c = 0; c < header.names.size(); ++c) {
    Column column{header.roles[c]};
    const auto category = std::find_if(categories.begin(), categories.end(),
                                       [&](const Category& known) { return known.column == header.names[c]; });
    if (column.role == CsvRole::Feature && category != categories.end()) column.category = &*category;
    columns.push_back(column);
    if (column.role == CsvRole::Target) table.target_name = header.names[c];
    if (column.role == CsvRole::Weights) table.weights_name = header.names[c];
    if (column.role == CsvRole::Offset) table.offset_name = header.names[c];
    if (column.role != CsvRole::Feature) continue;
    if (column.category == nullptr) table.names.push_back(header.names[c]);
    else
      for (const std::string& level : category->levels) table.names.push_back(level_name(*category, level));
  }
  return columns;
}

/// Gives every column its memory, `reserved` numbers for each feature.
void place(std::vector<Column>& columns, DenseTable& X, Table& table, std::size_t reserved) {
  X.values.resize(static_cast<std::size_t>(X.cols) * reserved);
  double* feature = X.values.data();
  const auto own = [&](std::vector<double>& values) {
    values.resize(reserved);
    return values.data();
  };
  for (Column& column : columns) switch (column.role) {
      case CsvRole::Feature:
        column.to = feature;
        feature += reserved * (column.category == nullptr ? 1 : column.category->levels.size());
        break;
      case CsvRole::Target:
        column.to = own(table.y);
        break;
      case CsvRole::Weights:
        column.to = own(table.weights);
        break;
      case CsvRole::Offset:
        column.to = own(table.offset);
        break;
      case CsvRole::Folds:
        column.to = own(table.folds);
        break;
      case CsvRole::Ignored:
        break;
    }
}

}  // namespace

Table read_csv(std::string_view file, std::string_view text, char separator, const ReadOptions& options,
               const bytes::Release& release) {
  Table table;
  if (separator == ',' && has_semicolons(text)) {
    separator = ';';
    table.notes.emplace_back("separator: ';', as the first line has no ','");
  }
  CsvCells cells(file, text, separator);
  const CsvHeader header = read_csv_header(cells, separator, options, table.notes);
  if (options.known) table.encoding.categories = options.known->categories;
  else if (options.categorical == "onehot") table.encoding.categories = find_categories(cells, header, release);
  auto columns = lay_out(header, table.encoding.categories, table);
  check_levels(file, table.encoding.categories, table.names);
  const std::size_t reserved = rows_at_most(cells.rest(), columns.size(), release);
  require_memory(file, 8.0 * static_cast<double>(reserved) * static_cast<double>(table.names.size()));

  DenseTable X{0, static_cast<Index>(table.names.size()), {}};
  place(columns, X, table, reserved);
  Rows rows(cells, header, columns, options, table.classes);
  const std::size_t n = read_columns(rows, cells, columns, reserved, release);
  close_up(X, reserved, n);
  table.X = std::move(X);
  for (auto* values : {&table.y, &table.weights, &table.offset, &table.folds})
    if (!values->empty()) values->resize(n);
  rows.settle(table.y);
  return table;
}

}  // namespace ellzero::io::table
