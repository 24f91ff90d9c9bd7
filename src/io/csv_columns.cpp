// The header line of CSV text, the roles of its columns, and the levels of columns of words, behind csv_columns.hpp.
#include "io/csv_columns.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/number.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"

namespace ellzero::io {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr std::size_t most_levels = 1000;
constexpr std::size_t longest_name = 10000;

std::vector<std::string> read_header(CsvCells& cells, char separator) {
  if (!cells.find_line()) refuse(cells.file(), "is empty; expected a header line with column names");
  const std::string_view line = cells.rest().substr(0, cells.rest().find('\n'));
  require_memory(cells.file(),
                 2.0 * sizeof(std::string) * static_cast<double>(std::count(line.begin(), line.end(), separator)));
  std::vector<std::string> names;
  while (true) {
    const Place place = cells.place();
    const std::string_view name = cells.take_text();
    if (name.size() > longest_name)
      refuse(cells.file(), place,
             fmt::format("a name of {} bytes, {}; expected a header line with column names", name.size(), shown(name)));
    names.emplace_back(name);
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

/// A wrong separator shows as a single column.
void refuse_single_column(std::string_view file, const std::string& name, char separator) {
  const auto other = name.find_first_of(",;\t|");
  refuse(file, {1, 1},
         fmt::format("the header names one column, {}; expected a target and at least one feature{}", shown(name),
                     other == std::string::npos ? ""
                                                : fmt::format(" (separated by {}, not {})", shown({&separator, 1}),
                                                              shown(name.substr(other, 1)))));
}

void find_roles(std::string_view file, CsvHeader& header, const ReadOptions& options, std::vector<std::string>& notes) {
  const auto& names = header.names;
  const std::size_t weights = column_called(file, names, options.weights, "weights");
  const std::size_t offset = column_called(file, names, options.offset, "offset");
  const bool has_target = std::find(names.begin(), names.end(), "target") != names.end();
  std::size_t target =
      column_called(file, names, options.target.empty() && has_target ? "target" : options.target, "target");
  if (target == none) {
    target = names.size() - 1;
    notes.push_back(fmt::format("target: column {}, the last, as none is called 'target'", shown(names.back())));
  }
  const auto same = [](std::size_t a, std::size_t b) { return a == b && a != none; };
  if (same(target, weights) || same(target, offset) || same(weights, offset))
    throw Error(ErrorCode::Usage,
                fmt::format("target, weights, offset: columns {}; expected different ones",
                            shown(names[target]) + (weights == none ? "" : ", " + shown(names[weights])) +
                                (offset == none ? "" : ", " + shown(names[offset]))));
  header.roles[target] = CsvRole::Target;
  if (weights != none) header.roles[weights] = CsvRole::Weights;
  if (offset != none) header.roles[offset] = CsvRole::Offset;
}

/// Only what a model needs; whatever else the file has does not matter.
void find_known(std::string_view file, CsvHeader& header, const ReadOptions& options) {
  const auto& names = header.names;
  std::fill(header.roles.begin(), header.roles.end(), CsvRole::Ignored);
  for (const std::string& wanted : options.known->columns) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      refuse(file, fmt::format("has no column {}, which the model uses{}", shown(wanted), suggestion(wanted, names)));
    if (std::find(found + 1, names.end(), wanted) != names.end())
      refuse(file, fmt::format("has several columns {}; the model uses one", shown(wanted)));
    header.roles[static_cast<std::size_t>(found - names.begin())] = CsvRole::Feature;
  }
  const std::string& called = options.offset.empty() ? options.known->offset : options.offset;
  const std::size_t offset = column_called(file, names, called, "offset");
  if (offset != none && header.roles[offset] == CsvRole::Feature)
    throw Error(ErrorCode::Usage, fmt::format("offset: value is {}; expected no feature", shown(names[offset])));
  if (offset != none) header.roles[offset] = CsvRole::Offset;
}

/// Hands every cell of a feature that is no number to `see`. Ends where a line is ragged: whoever reads the file next
/// refuses it there.
template <class See>
void for_each_word(CsvCells cells, const CsvHeader& header, Release release, See see) {
  while (cells.find_line()) {
    for (std::size_t c = 0; c < header.names.size(); ++c) {
      if (c > 0) {
        if (!cells.at_separator()) return;
        cells.skip_separator();
      }
      double number = 0;
      const Place place = cells.place();
      const bool feature = header.roles[c] == CsvRole::Feature;
      if (feature && see.wants_numbers(c)) see(c, place, cells.take_text());
      else if (!cells.take_number(number))
        if (const auto text = cells.take_text(); feature && !number_of(text)) see(c, place, text);
    }
    if (cells.at_separator()) return;
    cells.next_line();
    release(cells.at());
  }
}

/// Which columns hold a word somewhere.
struct WordFinder {
  std::vector<bool> found;
  static bool wants_numbers(std::size_t /*column*/) { return false; }
  void operator()(std::size_t c, Place /*place*/, std::string_view text) {
    if (!is_missing(text)) found[c] = true;
  }
};

/// The different words of those columns; what looks like a number is a word among words.
struct LevelFinder {
  const CsvHeader& header;
  std::string_view file;
  const std::vector<bool>& words;
  std::vector<std::set<std::string, std::less<>>> levels;

  [[nodiscard]] bool wants_numbers(std::size_t c) const { return words[c]; }
  void operator()(std::size_t c, Place place, std::string_view text) {
    if (!words[c] || is_missing(text) || levels[c].contains(text)) return;
    if (levels[c].size() == most_levels)
      refuse(file, place,
             fmt::format("column {} holds more than {} different words; expected a category", shown(header.names[c]),
                         most_levels));
    levels[c].emplace(text);
  }
};

}  // namespace

CsvHeader read_csv_header(CsvCells& cells, char separator, const ReadOptions& options,
                          std::vector<std::string>& notes) {
  CsvHeader header;
  header.names = read_header(cells, separator);
  refuse_missing_header(cells.file(), header.names);
  header.roles.assign(header.names.size(), CsvRole::Feature);
  if (options.known) {
    find_known(cells.file(), header, options);
    return header;
  }
  if (header.names.size() == 1) refuse_single_column(cells.file(), header.names[0], separator);
  find_roles(cells.file(), header, options, notes);
  return header;
}

std::vector<Category> find_categories(const CsvCells& cells, const CsvHeader& header, const Release& release) {
  WordFinder words{std::vector<bool>(header.names.size())};
  for_each_word<WordFinder&>(cells, header, release, words);
  LevelFinder finder{header, cells.file(), words.found, {}};
  finder.levels.resize(header.names.size());
  if (std::find(words.found.begin(), words.found.end(), true) != words.found.end())
    for_each_word<LevelFinder&>(cells, header, release, finder);
  std::vector<Category> categories;
  for (std::size_t c = 0; c < header.names.size(); ++c)
    if (words.found[c]) categories.push_back({header.names[c], {finder.levels[c].begin(), finder.levels[c].end()}});
  return categories;
}

}  // namespace ellzero::io
