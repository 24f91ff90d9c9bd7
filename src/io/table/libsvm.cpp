// Reads LIBSVM text in two passes, one that counts the entries of every column and one that fills them in. Indices may
// come in any order; a feature that a line names twice is a mistake of whoever wrote it, and refused.
#include "io/table/libsvm.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/table/column_filler.hpp"
#include "io/table/text_cursor.hpp"

namespace ellzero::io::table {
namespace {

/// A single slip, 1000000000:1, would take as much memory as honest data of that many columns. So an index of more than
/// a hundred million, which few data have at all, must fit to the size of its file.
constexpr Index always_allowed = 100000000;
constexpr Index columns_per_entry = 1000;

/// At most; an entry takes four bytes, " 1:2".
Index entries_in(std::string_view text) { return static_cast<Index>(text.size() / 4); }

class LineReader : private TextCursor {
 public:
  LineReader(std::string_view file, std::string_view text, bool missing, const bytes::Release& release, bool is_whole)
      : TextCursor(file, text, '#', missing, release),
        highest_(is_whole ? std::max(always_allowed, columns_per_entry * entries_in(text))
                          : std::numeric_limits<Index>::max()) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") line_start_ = at_ += 3;
  }

  /// One label for each line.
  template <class I>
  void count_entries(ColumnFiller<I>& columns, std::vector<double>& labels) {
    for_each_line([&] {
      labels.push_back(read_finite("a number as label"));
      const char* const start = at_;
      bool rising = true;
      for_each_entry([&, last = Index{0}](Index index, const char*) mutable {
        rising = rising && index > last;
        last = index;
        columns.count(index - 1);
      });
      if (!rising) refuse_repeated(start);
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

  /// Hands index and place of the entries of a line to `see`, from here on; the values are read in the other pass.
  template <class See>
  void for_each_entry(See see) {
    for (skip_spaces(); at_item(); skip_spaces()) {
      const char* const place = at_;
      see(read_index(), place);
      skip_word();
    }
  }

  /// Reads the line again from its first entry on.
  void refuse_repeated(const char* first) {
    std::vector<std::pair<Index, const char*>> entries;
    at_ = first;
    for_each_entry([&](Index index, const char* place) { entries.emplace_back(index, place); });
    std::sort(entries.begin(), entries.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    const auto twice = std::adjacent_find(entries.begin(), entries.end(), same);
    if (twice == entries.end()) return;
    at_ = (twice + 1)->second;
    refuse_here(fmt::format("feature {} is on this line already; expected each index once", twice->first));
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
    if (index > highest_)
      refuse_here(
          fmt::format("feature index is {}; expected at most {}: {}, or {} for each entry that a file of this "
                      "size has room for",
                      index, highest_, always_allowed, columns_per_entry));
    at_ = behind + 1;
    return index;
  }

  Index highest_;
};

template <class I>
Table read_as(std::string_view file, std::string_view text, const ReadOptions& options, const bytes::Release& release,
              bool is_whole) {
  const bool missing = !options.refuses_missing();
  Table table;
  ColumnFiller<I> columns(file);
  LineReader(file, text, missing, release, is_whole).count_entries(columns, table.y);
  columns.reserve();
  LineReader(file, text, missing, release, is_whole).read_entries(columns);
  table.X = columns.finish(static_cast<Index>(table.y.size()));
  return table;
}

}  // namespace

Table read_libsvm(std::string_view file, std::string_view text, const ReadOptions& options,
                  const bytes::Release& release, bool is_whole) {
  // An entry takes four bytes, and a row two.
  constexpr std::size_t narrow = std::numeric_limits<std::int32_t>::max();
  if (text.size() / 2 < narrow) return read_as<std::int32_t>(file, text, options, release, is_whole);
  return read_as<std::int64_t>(file, text, options, release, is_whole);
}

}  // namespace ellzero::io::table
