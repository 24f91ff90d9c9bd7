// Reads CSV: a header names the columns, then one pass turns blocks of lines into columns.
//
// 1. Header: names, and with the user's options the role of every column.
// 2. Count line ends for an upper bound of the rows, check the size, allocate the columns.
// 3. Cell by cell into a block of rows that stays in cache; a full block is written out column by column.
// A plain number costs one call of the number parser; quotes, spaces and errors take the slow path.
#include "io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/number.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"

namespace ellzero::io {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Walks over the text cell by cell and knows the line it is in.
class Cells {
 public:
  Cells(std::string_view file, std::string_view text, char separator)
      : file_(file), separator_(separator), at_(text.data()), end_(text.data() + text.size()), line_start_(at_) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") line_start_ = at_ += 3;
  }

  /// Moves over empty lines; false at the end of the text.
  bool find_line() {
    while (at_ != end_ && at_line_end(at_)) next_line();
    return at_ != end_;
  }
  [[nodiscard]] bool at_separator() const { return at_ != end_ && *at_ == separator_; }
  void skip_separator() { ++at_; }
  void next_line() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ == end_) return;
    line_start_ = ++at_;
    ++line_;
  }

  /// The fast path: a finite number with nothing but spaces around it. Moves behind it, or not at all.
  bool take_number(double& value) {
    const char* const end = read_number(skip_spaces(at_), end_, value);
    if (end == nullptr || !std::isfinite(value)) return false;
    const char* const behind = skip_spaces(end);
    if (behind != end_ && *behind != separator_ && !at_line_end(behind)) return false;
    at_ = behind;
    return true;
  }

  /// Any cell, without quotes and outer spaces. Moves behind it. Valid until the next call.
  std::string_view take_text() {
    const char* const first = skip_spaces(at_);
    if (first != end_ && *first == '"') return take_quoted(first);
    while (at_ != end_ && *at_ != separator_ && !at_line_end(at_)) ++at_;
    const char* last = at_;
    while (last > first && last[-1] == ' ') --last;
    return first < last ? std::string_view(first, static_cast<std::size_t>(last - first)) : std::string_view();
  }

  [[nodiscard]] Place place() const { return {line_, static_cast<std::size_t>(at_ - line_start_) + 1}; }
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  [[nodiscard]] std::string_view file() const { return file_; }

 private:
  [[nodiscard]] bool at_line_end(const char* at) const {
    return at == end_ || *at == '\n' || (*at == '\r' && (at + 1 == end_ || at[1] == '\n'));
  }
  [[nodiscard]] const char* skip_spaces(const char* at) const {
    while (at != end_ && *at == ' ') ++at;
    return at;
  }

  std::string_view take_quoted(const char* opening) {
    at_ = opening;
    const Place start = place();
    quoted_.clear();
    for (++at_; at_ != end_; ++at_) {
      if (*at_ == '"' && (at_ + 1 == end_ || at_[1] != '"')) break;
      quoted_ += *at_;
      if (*at_ == '"') ++at_;
      else if (*at_ == '\n') {
        line_start_ = at_ + 1;
        ++line_;
      }
    }
    if (at_ == end_) refuse(file_, start, "the quote that opens here is never closed");
    at_ = skip_spaces(at_ + 1);
    if (at_ != end_ && !at_separator() && !at_line_end(at_))
      refuse(file_, place(), "text after a closing quote; expected the end of the cell");
    return quoted_;
  }

  std::string_view file_;
  char separator_;
  const char* at_;
  const char* end_;
  const char* line_start_;
  std::size_t line_ = 1;
  std::string quoted_;
};

std::vector<std::string> read_header(Cells& cells) {
  if (!cells.find_line()) refuse(cells.file(), "is empty; expected a header line with column names");
  std::vector<std::string> names;
  while (true) {
    const Place place = cells.place();
    names.emplace_back(cells.take_text());
    if (names.back().empty())
      refuse(
          cells.file(), place,
          fmt::format("column {} has no name; expected one (row numbers that another program has written? leave them "
                      "out)",
                      names.size()));
    if (!cells.at_separator()) break;
    cells.skip_separator();
  }
  cells.next_line();
  return names;
}

/// Names that are all numbers are a first sample, unless they just count: 0, 1, 2, ... or 1, 2, 3, ...
void refuse_missing_header(std::string_view file, const std::vector<std::string>& names) {
  bool counts = true;
  double first = 0;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto value = number_of(names[c]);
    if (!value) return;
    if (c == 0) first = *value;
    counts = counts && (first == 0 || first == 1) && *value == first + static_cast<double>(c);
  }
  if (!counts)
    refuse(file, {1, 1}, fmt::format("the first line holds only numbers ({}, ...); expected column names", names[0]));
}

struct Roles {
  std::size_t target = none;
  std::size_t weights = none;
  std::size_t offset = none;
};

std::size_t column_called(std::string_view file, const std::vector<std::string>& names, const std::string& wanted,
                          std::string_view role) {
  if (wanted.empty()) return none;
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    throw Error(ErrorCode::Usage,
                fmt::format("{}: {} has no column {}{}", role, file, shown(wanted), suggestion(wanted, names)));
  if (std::find(found + 1, names.end(), wanted) != names.end())
    throw Error(ErrorCode::Usage, fmt::format("{}: {} has several columns {}", role, file, shown(wanted)));
  return static_cast<std::size_t>(found - names.begin());
}

Roles find_roles(std::string_view file, const std::vector<std::string>& names, const ReadOptions& options,
                 std::vector<std::string>& notes) {
  Roles roles;
  roles.weights = column_called(file, names, options.weights, "weights");
  roles.offset = column_called(file, names, options.offset, "offset");
  const bool has_target = std::find(names.begin(), names.end(), "target") != names.end();
  roles.target = column_called(file, names, options.target.empty() && has_target ? "target" : options.target, "target");
  if (roles.target == none) {
    roles.target = names.size() - 1;
    notes.push_back(fmt::format("target: column {}, the last, as none is called 'target'", shown(names.back())));
  }
  const auto same = [&](std::size_t a, std::size_t b) { return a == b && a != none; };
  if (same(roles.target, roles.weights) || same(roles.target, roles.offset) || same(roles.weights, roles.offset))
    throw Error(ErrorCode::Usage, fmt::format("target, weights, offset: columns {}; expected different ones",
                                              shown(names[roles.target]) +
                                                  (roles.weights == none ? "" : ", " + shown(names[roles.weights])) +
                                                  (roles.offset == none ? "" : ", " + shown(names[roles.offset]))));
  return roles;
}

/// Turns lines into rows of numbers, refusing what is none.
class Rows {
 public:
  Rows(Cells& cells, const std::vector<std::string>& names, std::size_t target, bool words,
       std::vector<std::string>& classes)
      : cells_(cells), names_(names), target_(target), classes_(classes), words_allowed_(words) {}

  /// False at the end of the text.
  bool read(std::span<double> row) {
    if (!cells_.find_line()) return false;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) {
        if (!cells_.at_separator())
          refuse(cells_.file(), cells_.place(), fmt::format("the line has {} cells; the header has {}", c, row.size()));
        cells_.skip_separator();
      }
      const bool is_word = c == target_ && words_allowed_ && takes_word();
      if (is_word || !cells_.take_number(row[c])) row[c] = is_word ? take_word() : take_quoted_number(c);
    }
    if (cells_.at_separator())
      refuse(cells_.file(), cells_.place(), fmt::format("the line has more cells than the header, {}", row.size()));
    cells_.next_line();
    return true;
  }

 private:
  /// The first line decides whether targets are numbers or words.
  bool takes_word() {
    if (!words_) {
      Cells ahead = cells_;
      const auto text = ahead.take_text();
      words_ = !text.empty() && !number_of(text);
    }
    return *words_;
  }

  double take_word() {
    const Place place = cells_.place();
    const auto word = cells_.take_text();
    if (word.empty()) refuse_cell(place, target_, word);
    const auto found = std::find(classes_.begin(), classes_.end(), word);
    if (found == classes_.end()) {
      if (classes_.size() == 2)
        refuse(cells_.file(), place,
               fmt::format("column {} holds {} besides {} and {}; expected two classes", shown(names_[target_]),
                           shown(word), shown(classes_[0]), shown(classes_[1])));
      classes_.emplace_back(word);
      return static_cast<double>(classes_.size() - 1);
    }
    return static_cast<double>(found - classes_.begin());
  }

  double take_quoted_number(std::size_t c) {
    const Place place = cells_.place();
    const auto text = cells_.take_text();
    const auto value = number_of(text);
    if (!value || !std::isfinite(*value)) refuse_cell(place, c, text);
    return *value;
  }

  [[noreturn]] void refuse_cell(Place place, std::size_t c, std::string_view text) const {
    refuse(cells_.file(), place,
           text.empty() ? fmt::format("column {} is empty; expected a number", shown(names_[c]))
                        : fmt::format("column {} holds {}; expected a finite number", shown(names_[c]), shown(text)));
  }

  Cells& cells_;
  const std::vector<std::string>& names_;
  std::size_t target_;
  std::vector<std::string>& classes_;
  bool words_allowed_;
  std::optional<bool> words_;
};

/// At most as many rows as lines are left, and as cells fit into the text: a cell and its separator take two bytes.
std::size_t rows_at_most(std::string_view rest, std::size_t columns) {
  const auto lines = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n')) + 1;
  return std::min(lines, rest.size() / (2 * columns) + 1);
}

/// Reads all rows; column c of the file goes to columns[c][0], columns[c][1], ... Returns the number of rows.
std::size_t read_columns(Rows& rows, std::span<double* const> columns) {
  constexpr std::size_t block = 64;
  std::vector<double> buffer(block * columns.size());
  std::size_t written = 0;
  while (true) {
    std::size_t filled = 0;
    while (filled < block && rows.read(std::span(buffer).subspan(filled * columns.size(), columns.size()))) ++filled;
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t i = 0; i < filled; ++i) columns[c][written + i] = buffer[i * columns.size() + c];
    written += filled;
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

/// A wrong separator shows as a single column.
void refuse_single_column(std::string_view file, const std::string& name, char separator) {
  const auto other = name.find_first_of(",;\t|");
  refuse(file, {1, 1},
         fmt::format("the header names one column, {}; expected a target and at least one feature{}", shown(name),
                     other == std::string::npos ? ""
                                                : fmt::format(" (separated by {}, not {})", shown({&separator, 1}),
                                                              shown(name.substr(other, 1)))));
}

}  // namespace

Table read_csv(std::string_view file, std::string_view text, char separator, const ReadOptions& options) {
  Cells cells(file, text, separator);
  const auto names = read_header(cells);
  refuse_missing_header(file, names);
  if (names.size() == 1) refuse_single_column(file, names[0], separator);
  Table table;
  const Roles roles = find_roles(file, names, options, table.notes);
  const std::size_t reserved = rows_at_most(cells.rest(), names.size());
  require_memory(file, 8.0 * static_cast<double>(reserved) * static_cast<double>(names.size()));

  for (std::size_t c = 0; c < names.size(); ++c)
    if (c != roles.target && c != roles.weights && c != roles.offset) table.names.push_back(names[c]);
  DenseTable X{0, static_cast<Index>(table.names.size()), std::vector<double>(table.names.size() * reserved)};
  table.y.resize(reserved);
  if (roles.weights != none) table.weights.resize(reserved);
  if (roles.offset != none) table.offset.resize(reserved);
  std::vector<double*> columns;
  double* feature = X.values.data();
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (c == roles.target) columns.push_back(table.y.data());
    else if (c == roles.weights) columns.push_back(table.weights.data());
    else if (c == roles.offset) columns.push_back(table.offset.data());
    else columns.push_back(std::exchange(feature, feature + reserved));
  }

  Rows rows(cells, names, roles.target, options.words, table.classes);
  const std::size_t n = read_columns(rows, columns);
  close_up(X, reserved, n);
  table.X = std::move(X);
  table.y.resize(n);
  if (roles.weights != none) table.weights.resize(n);
  if (roles.offset != none) table.offset.resize(n);
  return table;
}

}  // namespace ellzero::io
