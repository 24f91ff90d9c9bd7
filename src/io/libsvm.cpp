// Reads LIBSVM text in two passes, one that counts the entries of every column and one that fills them in. Indices may
// come in any order; values of a feature that a line names more than once are added up.
#include "io/libsvm.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/column_filler.hpp"
#include "io/number.hpp"
#include "io/refusal.hpp"

namespace ellzero::io {
namespace {

class LineReader {
 public:
  LineReader(std::string_view file, std::string_view text, bool missing, const Release& release)
      : file_(file),
        at_(text.data()),
        end_(text.data() + text.size()),
        line_start_(at_),
        missing_(missing),
        release_(release) {
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
        while (!behind_item(at_)) ++at_;
      }
    });
  }
  template <class I>
  void read_entries(ColumnFiller<I>& columns) {
    Index row = 0;
    for_each_line([&] {
      while (!behind_item(at_)) ++at_;  // the label
      for (skip_spaces(); at_item(); skip_spaces()) {
        const Index index = read_index();
        columns.put(row, index - 1, read_finite("a finite number as value"));
      }
      ++row;
    });
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_spaces() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  [[nodiscard]] bool at_item() const { return at_ != end_ && *at_ != '\n' && *at_ != '#'; }
  [[nodiscard]] bool behind_item(const char* at) const {
    return at == end_ || is_space(*at) || *at == '\n' || *at == '#';
  }
  template <class Read>
  void for_each_line(Read read) {
    for (; at_ != end_; next_line()) {
      skip_spaces();
      if (at_item()) read();
    }
  }
  void next_line() {
    at_ = std::find(at_, end_, '\n');
    if (at_ == end_) return;
    line_start_ = ++at_;
    ++line_;
    release_(at_);
  }

  double read_finite(std::string_view expected) {
    double value = 0;
    const char* const behind = read_number(at_, end_, value);
    if (behind == nullptr || !behind_item(behind) || !(std::isfinite(value) || (missing_ && std::isnan(value))))
      refuse_here(fmt::format("found {}; expected {}", shown(item()), expected));
    at_ = behind;
    return value;
  }

  Index read_index() {
    Index index = 0;
    const auto [behind, error] = std::from_chars(at_, end_, index);
    if (item().substr(0, 4) == "qid:") refuse_here("found 'qid:'; ranking groups are not supported");
    if (error == std::errc::result_out_of_range)
      refuse_here(fmt::format("found {}; expected an index below 2^63", shown(item())));
    if (error != std::errc() || behind == end_ || *behind != ':')
      refuse_here(fmt::format("found {}; expected index:value", shown(item())));
    if (index < 1) refuse_here(fmt::format("feature index is {}; expected 1 or above", index));
    at_ = behind + 1;
    return index;
  }

  [[nodiscard]] std::string_view item() const {
    const char* last = at_;
    while (!behind_item(last)) ++last;
    return {at_, static_cast<std::size_t>(last - at_)};
  }
  [[noreturn]] void refuse_here(std::string_view message) const {
    refuse(file_, Place{line_, static_cast<std::size_t>(at_ - line_start_) + 1}, message);
  }

  std::string_view file_;
  const char* at_;
  const char* end_;
  const char* line_start_;
  std::size_t line_ = 1;
  bool missing_;  // numbers may be unknown
  Release release_;
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
