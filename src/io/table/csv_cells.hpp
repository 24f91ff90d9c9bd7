// Walks over CSV text cell by cell: the fast path for plain numbers, and the slow one for quotes, spaces and words.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "io/refusal.hpp"
#include "io/table/number.hpp"

namespace ellzero::io::table {

/// Walks over the text cell by cell and knows the line it is in.
class CsvCells {
 public:
  CsvCells(std::string_view file, std::string_view text, char separator)
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
  [[nodiscard]] const char* at() const { return at_; }
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

  static constexpr std::size_t longest = 1000000;  // whoever forgets a closing quote has the whole file in one cell

  std::string_view take_quoted(const char* opening) {
    at_ = opening;
    const Place start = place();
    quoted_.clear();
    for (++at_; at_ != end_; ++at_) {
      if (*at_ == '"' && (at_ + 1 == end_ || at_[1] != '"')) break;
      quoted_ += *at_;
      if (quoted_.size() > longest)
        refuse(file_, start, "the quote that opens here is not closed within a million bytes");
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

}  // namespace ellzero::io::table
