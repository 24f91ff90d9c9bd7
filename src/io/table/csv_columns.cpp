// The header line of CSV text, the roles of its columns, and the levels of columns of words, behind csv_columns.hpp.
#include "io/table/csv_columns.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ellzero/error.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"
#include "io/table/number.hpp"

namespace ellzero::io::table {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr std::size_t most_levels = 1000;
constexpr std::size_t longest_name = 10000;

/// `check` sees every cell with its place before it becomes a name.
template <class Check>
std::vector<std::string> read_names(CsvCells& cells, char separator, Check check) {
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
    check(place, name);
    names.emplace_back(name);
    if (!cells.at_separator()) break;
    cells.skip_separator();
  }
  cells.next_line();
  return names;
}

/// A header for that many columns, which the user may put in front of the data.
std::string line_of_names(std::size_t columns, char separator) {
  constexpr std::size_t most_shown = 8;
  std::string line;
  for (std::size_t c = 0; c + 1 < columns; ++c) {
    if (columns > most_shown && c == 2) {
      line += fmt::format("...{}", separator);
      c = columns - 2;
    }
    line += fmt::format("x{}{}", c, separator);
  }
  return line + "target";
}

/// Names that are all numbers, or missing ones among numbers, are a first sample.
void refuse_numbers(std::string_view file, Place place, const std::vector<std::string>& names, char separator) {
  const std::string* number = nullptr;
  for (const std::string& name : names) {
    if (is_missing(name)) continue;
    if (!number_of(name)) return;
    if (number == nullptr) number = &name;
  }
  if (number == nullptr) return;
  refuse(file, place,
         fmt::format("the first line holds only numbers, like {}; expected column names (--no-header reads it as data, "
                     "--header takes the numbers as names, or put a line in front of it: {})",
                     *number, line_of_names(names.size(), separator)));
}

void refuse_nameless(std::string_view file, Place place, const std::vector<std::string>& names) {
  const auto nameless = std::find(names.begin(), names.end(), "");
  if (nameless != names.end())
    refuse(file, place,
           fmt::format("column {} has no name; expected one (row numbers that another program has written? leave them "
                       "out)",
                       nameless - names.begin() + 1));
}

/// Blanks around a name, which only quotes keep, do not make another name of it: nobody sees the difference.
void refuse_repeated(std::string_view file, Place place, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t c = 0; c < names.size(); ++c) {
    constexpr std::string_view blanks = " \t\r\n";
    std::string_view name = names[c];
    name.remove_prefix(std::min(name.find_first_not_of(blanks), name.size()));
    name = name.substr(0, name.find_last_not_of(blanks) + 1);
    const auto [before, fresh] = seen.emplace(name, c);
    if (fresh) continue;
    const std::string& other = names[before->second];
    refuse(file, place,
           other == names[c] ? fmt::format("columns {} and {} are both called {}; expected different names",
                                           before->second + 1, c + 1, shown(other))
                             : fmt::format("columns {} and {} are called {} and {}; expected names that differ in more "
                                           "than blanks",
                                           before->second + 1, c + 1, shown(other), shown(names[c])));
  }
}

/// Names by position, for as many columns as the first line has; it stays to be read.
std::vector<std::string> counted_names(CsvCells first, char separator) {
  std::vector<std::string> names = read_names(first, separator, [](Place, std::string_view) {});
  for (std::size_t c = 0; c < names.size(); ++c) names[c] = fmt::format("x{}", c);
  return names;
}

/// Without a header a column goes by its position as well: 4 is x4.
std::size_t column_called(std::string_view file, const CsvHeader& header, const std::string& said,
                          std::string_view role) {
  if (said.empty()) return none;
  const auto& names = header.names;
  const bool position = !header.named && said.find_first_not_of("0123456789") == std::string::npos;
  const std::string wanted = position ? "x" + said : said;
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
         fmt::format("the first line has one column, {}; expected a target and at least one feature{}", shown(name),
                     other == std::string::npos ? ""
                                                : fmt::format(" (separated by {}, not {})", shown({&separator, 1}),
                                                              shown(name.substr(other, 1)))));
}

void find_roles(std::string_view file, CsvHeader& header, const ReadOptions& options, std::vector<std::string>& notes) {
  const auto& names = header.names;
  std::vector<std::pair<CsvRole, std::size_t>> found = {
      {CsvRole::Weights, column_called(file, header, options.weights, "weights")},
      {CsvRole::Offset, column_called(file, header, options.offset, "offset")},
      {CsvRole::Folds, column_called(file, header, options.folds, "folds-column")}};
  const bool has_target = std::find(names.begin(), names.end(), "target") != names.end();
  std::size_t target =
      column_called(file, header, options.target.empty() && has_target ? "target" : options.target, "target");
  if (target == none) {
    target = names.size() - 1;
    notes.push_back(fmt::format("target: column {}, the last, as none is called 'target'", shown(names.back())));
  }
  found.insert(found.begin(), {CsvRole::Target, target});
  std::erase_if(found, [](const auto& column) { return column.second == none; });
  for (const auto& [role, c] : found) {
    if (header.roles[c] != CsvRole::Feature) {
      std::vector<std::string> called;
      for (const auto& column : found) called.push_back(shown(names[column.second]));
      throw Error(ErrorCode::Usage,
                  fmt::format("target, weights, offset{}: columns {}; expected different ones",
                              options.folds.empty() ? "" : ", folds-column", fmt::join(called, ", ")));
    }
    header.roles[c] = role;
  }
}

/// Only what a model needs; whatever else the file has does not matter.
void find_known(std::string_view file, CsvHeader& header, const ReadOptions& options) {
  const auto& names = header.names;
  std::fill(header.roles.begin(), header.roles.end(), CsvRole::Ignored);
  const auto& widths = options.known->widths;
  if (!header.named && !widths.empty() && std::find(widths.begin(), widths.end(), names.size()) == widths.end())
    refuse(file,
           fmt::format("has {} columns and no header; the model was fitted to {}, which are known by their position",
                       names.size(), widths[0]));
  for (const std::string& wanted : options.known->columns) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      refuse(file, fmt::format("has no column {}, which the model uses{}", shown(wanted), suggestion(wanted, names)));
    if (std::find(found + 1, names.end(), wanted) != names.end())
      refuse(file, fmt::format("has several columns {}; the model uses one", shown(wanted)));
    header.roles[static_cast<std::size_t>(found - names.begin())] = CsvRole::Feature;
  }
  const std::string& called = options.offset.empty() ? options.known->offset : options.offset;
  const std::size_t offset = column_called(file, header, called, "offset");
  if (offset != none && header.roles[offset] == CsvRole::Feature)
    throw Error(ErrorCode::Usage, fmt::format("offset: value is {}; expected no feature", shown(names[offset])));
  if (offset != none) header.roles[offset] = CsvRole::Offset;
}

/// Hands every cell of a feature that is no number to `see`. Ends where a line is ragged: whoever reads the file next
/// refuses it there.
template <class See>
void for_each_word(CsvCells cells, const CsvHeader& header, bytes::Release release, See see) {
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
    require_utf8(file, place, "the word", text);
    levels[c].emplace(text);
  }
};

}  // namespace

CsvHeader read_csv_header(CsvCells& cells, char separator, const ReadOptions& options,
                          std::vector<std::string>& notes) {
  if (!cells.find_line()) refuse(cells.file(), "is empty; expected a header line with column names");
  const Place place = cells.place();
  CsvHeader header{.named = options.header_said() != "no", .names = {}, .roles = {}};
  if (header.named) {
    header.names = read_names(cells, separator, [&](Place at, std::string_view name) {
      if (!options.known) require_utf8(cells.file(), at, "the name", name);  // else only names of the model matter
    });
    if (options.header_said().empty()) refuse_numbers(cells.file(), place, header.names, separator);
    refuse_nameless(cells.file(), place, header.names);
  } else {
    header.names = counted_names(cells, separator);
  }
  header.roles.assign(header.names.size(), CsvRole::Feature);
  if (options.known) {
    find_known(cells.file(), header, options);
    return header;
  }
  if (header.names.size() == 1) refuse_single_column(cells.file(), header.names[0], separator);
  refuse_repeated(cells.file(), place, header.names);
  find_roles(cells.file(), header, options, notes);
  return header;
}

std::vector<Category> find_categories(const CsvCells& cells, const CsvHeader& header, const bytes::Release& release) {
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

}  // namespace ellzero::io::table
