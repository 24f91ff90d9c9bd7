// Reads LIBSVM text in two passes, one that counts the entries of every column and one that fills them in. Indices may
// come in any order; values of a feature that a line names more than once are added up.
#include "io/libsvm.hpp"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "io/column_filler.hpp"
#include "io/text_cursor.hpp"

namespace ellzero::io {
namespace {

class LineReader : private TextCursor {
 public:
  LineReader(std::string_view file, std::string_view text, bool missing, const Release& release)
      : TextCursor(file, text, '#', missing, release) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") line_start_ = at_ += 3;
  }

  /// One label for each line.
  template <class I>
  void count_entries(ColumnFiller<I>& columns, std::vector<double>& labels) {
    for_each_line([&] {
      labels.push_back(read_finite("a number as label"));
      for (skip_spaces(); at_item(); skip_spaces()) {
        const Index index = read_index();
        columns.count(index - 1);
        skip_word();
      }
    });
  }
  template <class I>
  void read_entries(ColumnFiller<I>& columns) {
    Index row = 0;
    for_each_line([&] {
      skip_word();  // the label
      for (skip_spaces(); at_item(); skip_spaces()) {
        const Index index = read_index();
        columns.put(row, index - 1, read_finite("a finite number as value"));
      }
      ++row;
    });
  }

 private:
  [[nodiscard]] bool at_item() const { return at_ != end_ && *at_ != '\n' && *at_ != '#'; }
  template <class Read>
  void for_each_line(Read read) {
    for (; at_ != end_; next_line()) {
      skip_spaces();
      if (at_item()) read();
    }
  }

  Index read_index() {
    Index index = 0;
    const auto [behind, error] = std::from_chars(at_, end_, index);
    if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with("qid:"))
      refuse_here("found 'qid:'; ranking groups are not supported");
    if (error == std::errc::result_out_of_range)
      refuse_here(fmt::format("found {}; expected an index below 2^63", shown(word())));
    if (error != std::errc() || behind == end_ || *behind != ':')
      refuse_here(fmt::format("found {}; expected index:value", shown(word())));
    if (index < 1) refuse_here(fmt::format("feature index is {}; expected 1 or above", index));
    at_ = behind + 1;
    return index;
  }
};

template <class I>
Table read_as(std::string_view file, std::string_view text, const ReadOptions& options, const Release& release) {
  const bool missing = !options.refuses_missing();
  Table table;
  ColumnFiller<I> columns(file);
  LineReader(file, text, missing, release).count_entries(columns, table.y);
  columns.reserve();
  LineReader(file, text, missing, release).read_entries(columns);
  table.X = columns.finish(static_cast<Index>(table.y.size()));
  return table;
}

}  // namespace

Table read_libsvm(std::string_view file, std::string_view text, const ReadOptions& options, const Release& release) {
  // An entry takes four bytes, " 1:2", and a row two.
  constexpr std::size_t narrow = std::numeric_limits<std::int32_t>::max();
  if (text.size() / 2 < narrow) return read_as<std::int32_t>(file, text, options, release);
  return read_as<std::int64_t>(file, text, options, release);
}

}  // namespace ellzero::io
