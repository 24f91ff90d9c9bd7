// Walks over text that is made of words, and knows where it is: what readers of LIBSVM and MatrixMarket text share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "io/bytes/release.hpp"
#include "io/refusal.hpp"
#include "io/table/number.hpp"

namespace ellzero::io::table {

class TextCursor {
 protected:
  /// `comment` ends a word as a space does. `missing`: numbers may be unknown.
  TextCursor(std::string_view file, std::string_view text, char comment, bool missing, const bytes::Release& release)
      : file_(file),
        at_(text.data()),
        end_(text.data() + text.size()),
        line_start_(at_),
        comment_(comment),
        missing_(missing),
        release_(release) {}

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  /// Spaces within the line.
  void skip_spaces() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  [[nodiscard]] bool behind_word(const char* at) const {
    return at == end_ || is_space(*at) || *at == '\n' || *at == comment_;
  }
  void skip_word() {
    while (!behind_word(at_)) ++at_;
  }
  [[nodiscard]] std::string_view word() const {
    const char* last = at_;
    while (!behind_word(last)) ++last;
    return {at_, static_cast<std::size_t>(last - at_)};
  }
  /// To the start of the line behind this one, or to the end.
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
    if (behind == nullptr || !behind_word(behind) || !(std::isfinite(value) || (missing_ && std::isnan(value))))
      refuse_here(fmt::format("found {}; expected {}", shown(word()), expected));
    at_ = behind;
    return value;
  }
  [[noreturn]] void refuse_here(std::string_view message) const {
    refuse(file_, Place{line_, static_cast<std::size_t>(at_ - line_start_) + 1}, message);
  }

  std::string_view file_;
  const char* at_;
  const char* end_;
  const char* line_start_;
  std::size_t line_ = 1;

 private:
  char comment_;
  bool missing_;
  bytes::Release release_;
};

}  // namespace ellzero::io::table
