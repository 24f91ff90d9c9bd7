// Reads MatrixMarket text: a banner, comments, a line of sizes, then entries; coordinates in two passes, as LIBSVM
// text.
#include "io/table/matrix_market.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/letters.hpp"
#include "io/refusal.hpp"
#include "io/table/column_filler.hpp"
#include "io/table/text_cursor.hpp"

namespace ellzero::io::table {
namespace {

constexpr std::string_view banner = "%%MatrixMarket";

enum class Symmetry { General, Symmetric, Skew };

struct Shape {
  bool coordinate = false;
  bool pattern = false;
  Symmetry symmetry = Symmetry::General;
  Index rows = 0;
  Index cols = 0;
  Index entries = 0;  ///< numbers in the file: of a symmetric matrix only those on and below the diagonal
};

/// Walks over the text word by word and knows the line it is in.
class Words : private TextCursor {
 public:
  Words(std::string_view file, std::string_view text, bool missing, const bytes::Release& release)
      : TextCursor(file, text, '\n', missing, release) {}

  Shape read_shape() {
    Shape shape;
    at_ += banner.size();  // the caller has seen it
    expect_word({"matrix"});
    shape.coordinate = expect_word({"coordinate", "array"}) == 0;
    shape.pattern = expect_word({"real", "integer", "pattern", "double"}) == 2;
    shape.symmetry = static_cast<Symmetry>(expect_word({"general", "symmetric", "skew-symmetric"}));
    if (shape.pattern && !shape.coordinate) refuse_here("an array has no pattern; expected real or integer");
    shape.rows = read_whole("the number of rows", 0, largest);
    shape.cols = read_whole("the number of columns", 0, largest);
    if (shape.symmetry != Symmetry::General && shape.rows != shape.cols)
      refuse_here(fmt::format("{} x {} is not symmetric; expected as many rows as columns", shape.rows, shape.cols));
    shape.entries = shape.coordinate ? read_whole("the number of entries", 0, largest) : numbers_of_array(shape);
    check_room(shape);
    return shape;
  }

  Index read_whole(std::string_view what, Index lowest, Index highest) {
    skip_spaces();
    Index value = 0;
    const auto [behind, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || !behind_word(behind) || value < lowest || value > highest)
      refuse_here(fmt::format("found {}; expected {}, {} to {}", shown(word()), what, lowest, highest));
    at_ = behind;
    return value;
  }
  double read_value() {
    skip_spaces();
    return read_finite("a finite number");
  }
  void skip_value() {
    skip_spaces();
    skip_word();
  }
  void expect_end(Index entries) {
    skip_spaces();
    if (at_ != end_) refuse_here(fmt::format("found {} after all {} entries", shown(word()), entries));
  }

 private:
  static constexpr Index largest = std::numeric_limits<Index>::max() / 2;

  /// Also over line ends and lines that are comments.
  void skip_spaces() {
    for (TextCursor::skip_spaces(); at_ != end_; TextCursor::skip_spaces()) {
      const bool comment = *at_ == '%' && at_ == line_start_ && line_ > 1;
      if (*at_ != '\n' && !comment) return;
      next_line();
    }
  }
  /// Which of the words stands here, in capital or small letters.
  template <std::size_t count>
  std::size_t expect_word(const std::string_view (&choices)[count]) {
    skip_spaces();
    const std::string_view found = word();
    for (std::size_t k = 0; k < count; ++k)
      if (same_letters(found, choices[k])) {
        at_ += found.size();
        return k;
      }
    std::string expected(choices[0]);
    for (std::size_t k = 1; k < count; ++k) expected += (k + 1 < count ? ", " : " or ") + std::string(choices[k]);
    refuse_here(fmt::format("found {}; expected {}", shown(found), expected));
  }

  /// -1 where there are more than can be counted.
  [[nodiscard]] static Index numbers_of_array(const Shape& shape) {
    if (shape.rows > 0 && shape.cols > largest / shape.rows) return -1;
    switch (shape.symmetry) {
      case Symmetry::General:
        break;
      case Symmetry::Symmetric:
        return shape.rows * (shape.rows + 1) / 2;
      case Symmetry::Skew:
        return shape.rows * std::max<Index>(shape.rows - 1, 0) / 2;
    }
    return shape.rows * shape.cols;
  }

  /// An entry is a few digits, each with a space behind it.
  void check_room(const Shape& shape) const {
    const Index words = (shape.coordinate ? 2 : 0) + (shape.pattern ? 0 : 1);
    const Index room = (end_ - at_) / (2 * words) + 1;
    if (shape.entries < 0 || shape.entries > room)
      refuse_here(fmt::format("promises {} x {} with {} entries; the {} bytes behind it have room for {}", shape.rows,
                              shape.cols, shape.entries < 0 ? "countless" : fmt::format("{}", shape.entries),
                              end_ - at_, room));
    const auto width = static_cast<double>(shape.coordinate ? 1 : shape.cols);  // whatever is done with it, a vector is
    require_memory(file_, 8.0 * static_cast<double>(shape.rows) * width);       // needed with a number for each row
  }
};

/// Row and column from 0. Of a symmetric matrix the file holds one half, the lower one: an entry of the other half
/// would count twice, or fight with its twin. The diagonal of a skew-symmetric matrix is 0 and not in the file.
std::pair<Index, Index> read_place(Words& words, const Shape& shape) {
  switch (shape.symmetry) {
    case Symmetry::General:
      break;
    case Symmetry::Symmetric: {
      const Index i = words.read_whole("a row", 1, shape.rows);
      return {i - 1, words.read_whole("a column on or below the diagonal of a symmetric matrix", 1, i) - 1};
    }
    case Symmetry::Skew: {
      const Index i = words.read_whole("a row below the diagonal of a skew-symmetric matrix", 2, shape.rows);
      return {i - 1, words.read_whole("a column below the diagonal of a skew-symmetric matrix", 1, i - 1) - 1};
    }
  }
  const Index i = words.read_whole("a row", 1, shape.rows);
  return {i - 1, words.read_whole("a column", 1, shape.cols) - 1};
}

/// Hands row, column and value of every entry to `put`, both halves of a symmetric matrix; `values`: read them, too.
template <class Put>
void for_each_coordinate(Words& words, const Shape& shape, bool values, Put put) {
  for (Index e = 0; e < shape.entries; ++e) {
    const auto [i, j] = read_place(words, shape);
    double value = 1;
    if (!shape.pattern && values) value = words.read_value();
    else if (!shape.pattern) words.skip_value();
    put(i, j, value);
    if (shape.symmetry != Symmetry::General && i != j) put(j, i, shape.symmetry == Symmetry::Skew ? -value : value);
  }
  words.expect_end(shape.entries);
}

template <class I>
void read_coordinates(std::string_view file, const Words& start, const Shape& shape, Table& table) {
  ColumnFiller<I> columns(file);
  columns.widen(shape.cols);
  Words first = start, second = start;
  for_each_coordinate(first, shape, false, [&](Index, Index j, double) { columns.count(j); });
  columns.reserve();
  for_each_coordinate(second, shape, true, [&](Index i, Index j, double value) { columns.put(i, j, value); });
  table.X = columns.finish(shape.rows);
  if (const auto twice = columns.repeated())
    table.notes.push_back(fmt::format(
        "{}: several entries at row {}, column {}{}; they are added up", file, twice->row + 1, twice->column + 1,
        twice->places > 1 ? fmt::format(" and at {} more places", twice->places - 1) : ""));
}

DenseTable read_array(Words& words, const Shape& shape) {
  DenseTable X{shape.rows, shape.cols, std::vector<double>(static_cast<std::size_t>(shape.rows * shape.cols))};
  const auto at = [&](Index i, Index j) -> double& { return X.values[static_cast<std::size_t>(j * shape.rows + i)]; };
  const bool general = shape.symmetry == Symmetry::General;
  const bool skew = shape.symmetry == Symmetry::Skew;
  for (Index j = 0; j < shape.cols; ++j)
    for (Index i = general ? 0 : (skew ? j + 1 : j); i < shape.rows; ++i) {
      at(i, j) = words.read_value();
      if (!general && i != j) at(j, i) = skew ? -at(i, j) : at(i, j);
    }
  words.expect_end(shape.entries);
  return X;
}

}  // namespace

bool is_matrix_market(std::string_view text) { return text.starts_with(banner); }

void require_matrix_market(std::string_view file, std::string_view text) {
  if (!is_matrix_market(text)) refuse(file, {1, 1}, fmt::format("expected a first line that starts with {}", banner));
}

Table read_matrix_market(std::string_view file, std::string_view text, const ReadOptions& options,
                         const bytes::Release& release) {
  require_matrix_market(file, text);
  Words words(file, text, !options.refuses_missing(), release);
  const Shape shape = words.read_shape();
  constexpr Index narrow = std::numeric_limits<std::int32_t>::max();
  Table table;
  if (!shape.coordinate) table.X = read_array(words, shape);
  else if (2 * shape.entries < narrow && shape.rows < narrow) read_coordinates<std::int32_t>(file, words, shape, table);
  else read_coordinates<std::int64_t>(file, words, shape, table);
  return table;
}

std::vector<double> read_matrix_market_vector(std::string_view file, std::string_view text) {
  const Table table = read_matrix_market(file, text, {.missing = "drop"});
  const Index rows = table.rows(), cols = table.cols();
  if (!table.notes.empty()) throw Error(ErrorCode::Data, table.notes[0] + " in a matrix, but not in a vector");
  if (rows != 1 && cols != 1) refuse(file, fmt::format("is {} x {}; expected one column", rows, cols));
  require_memory(file, 8.0 * static_cast<double>(rows) * static_cast<double>(cols));
  if (const auto* dense = std::get_if<DenseTable>(&table.X)) return dense->values;
  std::vector<double> result(static_cast<std::size_t>(rows * cols));
  const auto fill = [&]<class I>(const SparseTable<I>& X) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(cols); ++j)
      for (auto e = static_cast<std::size_t>(X.indptr[j]); e < static_cast<std::size_t>(X.indptr[j + 1]); ++e)
        result[static_cast<std::size_t>(X.indices[e]) + j] = X.values[e];
  };
  if (const auto* X = std::get_if<SparseTable<std::int32_t>>(&table.X)) fill(*X);
  else fill(std::get<SparseTable<std::int64_t>>(table.X));
  return result;
}

}  // namespace ellzero::io::table
