// The checks of input_guard.hpp; each costs one fast pass over the bytes, or looks at a few of them.
#include "io/bytes/input_guard.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/refusal.hpp"

namespace ellzero::io::bytes {
namespace {

constexpr std::size_t enough = 1 << 16;  // to know a format by
constexpr std::size_t longest_word = 1000000;
constexpr std::size_t longest_blank = 1000000;
constexpr std::size_t longest_line = 1000000000;
constexpr std::size_t start_of_file = 1 << 22;  // room for a word that is too long
constexpr std::string_view separators = " \t\r\n,;:|\"";

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void InputGuard::look(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  if (!begun_) {
    head_ += text;
    if (head_.size() >= enough) begin();
    return;
  }
  if (heading_.text) return look_at_text(text);
  count(text.size());
}

/// Of what is no text.
void InputGuard::count(std::size_t bytes) {
  constexpr std::size_t always_fine = 1 << 24;
  seen_ += bytes;
  if (seen_ > heading_.size)
    refuse(name_, fmt::format("has more than the {} bytes that its header promises", heading_.size));
  if (packed_ > 0 && seen_ > always_fine && seen_ / heading_.most_growth > packed_)
    refuse(name_,
           fmt::format("unpacks to more than {} times its {} bytes; expected a proof", heading_.most_growth, packed_));
}

void InputGuard::finish() {
  if (!begun_) {
    first_look_ = {};
    begin();
  }
}

void InputGuard::look_at_start(std::span<const std::byte> bytes) {
  first_look_ = {};  // the reader itself comes next
  bytes = bytes.first(std::min(bytes.size(), start_of_file));
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), enough)))
    look(bytes.first(std::min(bytes.size(), enough)));
  finish();
}

void InputGuard::begin() {
  begun_ = true;
  const std::string head = std::exchange(head_, {});
  if (read_heading_) heading_ = read_heading_(name_, head);
  if (!heading_.text) {
    seen_ = head.size();
    if (first_look_) first_look_(head);
    return;
  }
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
    refuse(name_, {1, 1}, "is UTF-16 text; expected UTF-8 or plain ASCII");
  look_at_text(head);
  if (first_look_) first_look_(head);
}

void InputGuard::look_at_text(std::string_view text) {
  refuse_zero(text);
  seen_ += text.size();
  blank_ = blank_ && text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (blank_ && seen_ > longest_blank)
    refuse(name_, fmt::format("holds nothing but blanks in its first {} bytes; expected text", longest_blank));
  measure_word(text);
  measure_line(text);
}

void InputGuard::refuse_zero(std::string_view text) const {
  const auto zero = text.find('\0');
  if (zero == std::string_view::npos) return;
  const std::string_view before = text.substr(0, zero);
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t column = lines == 0 ? in_line_ + zero : zero - before.rfind('\n') - 1;
  refuse(name_, {line_ + lines, column + 1}, "found a zero byte; expected text");
}

/// Pieces are shorter than the longest word, so that only one that goes over the end of a piece can be too long.
void InputGuard::measure_word(std::string_view text) {
  const auto first = std::min(text.find_first_of(separators), text.size());
  word_ += first;
  if (word_ > longest_word)
    refuse(name_, {line_, in_line_ + 1}, fmt::format("a word of more than {} bytes; expected text", longest_word));
  if (first < text.size()) word_ = text.size() - text.find_last_of(separators) - 1;
}

void InputGuard::measure_line(std::string_view text) {
  line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const auto last = text.rfind('\n');
  in_line_ = last == std::string_view::npos ? in_line_ + text.size() : text.size() - last - 1;
  if (in_line_ > longest_line)
    refuse(name_, {line_, 1}, fmt::format("a line of more than {} bytes; expected shorter ones", longest_line));
}

}  // namespace ellzero::io::bytes
