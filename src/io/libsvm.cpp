// Reads LIBSVM text line by line into rows, then turns rows into columns by counting. Indices may come in any order;
// those of a feature that a line names more than once are added up.
#include "io/libsvm.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/number.hpp"
#include "io/refusal.hpp"

namespace ellzero::io {
namespace {

/// The file as it stands: entries of row i end at row_ends[i].
struct SparseRows {
  std::vector<Index> row_ends;
  std::vector<Index> columns;
  std::vector<double> values;
  std::vector<double> labels;
  Index cols = 0;
};

class LineReader {
 public:
  LineReader(std::string_view file, std::string_view text)
      : file_(file), at_(text.data()), end_(text.data() + text.size()), line_start_(at_) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") line_start_ = at_ += 3;
  }

  void read_all(SparseRows& rows) {
    for (; at_ != end_; next_line()) {
      skip_spaces();
      if (at_item()) read_line(rows);
    }
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
  void next_line() {
    at_ = std::find(at_, end_, '\n');
    if (at_ == end_) return;
    line_start_ = ++at_;
    ++line_;
  }

  void read_line(SparseRows& rows) {
    rows.labels.push_back(read_finite("a number as label"));
    line_entries_.clear();
    bool rising = true;
    for (skip_spaces(); at_item(); skip_spaces()) {
      const Index index = read_index();
      const double value = read_finite("a finite number as value");
      rows.cols = std::max(rows.cols, index);
      rising = rising && (line_entries_.empty() || line_entries_.back().first < index - 1);
      line_entries_.emplace_back(index - 1, value);
    }
    if (!rising) add_up_repeated();
    for (const auto& [column, value] : line_entries_) {
      if (value == 0) continue;
      rows.columns.push_back(column);
      rows.values.push_back(value);
    }
    rows.row_ends.push_back(static_cast<Index>(rows.columns.size()));
  }

  /// Sorts the line's entries; a feature that occurs more than once keeps the sum, in the order of the line.
  void add_up_repeated() {
    std::stable_sort(line_entries_.begin(), line_entries_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    auto last = line_entries_.begin();
    for (auto next = last + 1; next != line_entries_.end(); ++next) {
      if (next->first != last->first) *++last = *next;
      else if (!std::isfinite(last->second += next->second))
        refuse_here(fmt::format("the values of feature {} add up to {}; expected a finite number", last->first + 1,
                                last->second));
    }
    line_entries_.erase(last + 1, line_entries_.end());
  }

  double read_finite(std::string_view expected) {
    double value = 0;
    const char* const behind = read_number(at_, end_, value);
    if (behind == nullptr || !behind_item(behind) || !std::isfinite(value))
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
  std::vector<std::pair<Index, double>> line_entries_;  // column and value
};

/// Rows in order keep the rows of every column in order.
template <class I>
SparseTable<I> transpose(const SparseRows& rows) {
  SparseTable<I> X{static_cast<Index>(rows.labels.size()), rows.cols, {}, {}, {}};
  X.indptr.assign(static_cast<std::size_t>(rows.cols) + 1, 0);
  for (const Index j : rows.columns) ++X.indptr[j + 1];
  for (std::size_t j = 1; j < X.indptr.size(); ++j) X.indptr[j] += X.indptr[j - 1];
  X.indices.resize(rows.columns.size());
  X.values.resize(rows.columns.size());
  std::vector<I> next(X.indptr.begin(), X.indptr.end() - 1);
  Index entry = 0;
  for (Index i = 0; i < X.rows; ++i)
    for (; entry < rows.row_ends[i]; ++entry) {
      const I to = next[rows.columns[entry]]++;
      X.indices[to] = static_cast<I>(i);
      X.values[to] = rows.values[entry];
    }
  return X;
}

}  // namespace

Table read_libsvm(std::string_view file, std::string_view text) {
  SparseRows rows;
  const auto entries = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
  require_memory(file, 2.0 * 16.0 * static_cast<double>(entries));
  rows.columns.reserve(entries);
  rows.values.reserve(entries);
  LineReader(file, text).read_all(rows);
  require_memory(file, 2.0 * 16.0 * static_cast<double>(entries) + 16.0 * static_cast<double>(rows.cols));

  Table table;
  constexpr std::size_t narrow = std::numeric_limits<std::int32_t>::max();
  if (entries < narrow && rows.labels.size() < narrow) table.X = transpose<std::int32_t>(rows);
  else table.X = transpose<std::int64_t>(rows);
  table.y = std::move(rows.labels);
  return table;
}

}  // namespace ellzero::io
