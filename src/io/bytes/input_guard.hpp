// Looks at data while it comes in: what cannot be of its format is refused before the rest of it fills the disk.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ellzero::io::bytes {

/// What the first bytes of a file say about all of them.
struct Heading {
  bool text = true;
  std::size_t size = std::numeric_limits<std::size_t>::max();         ///< of what is no text: there are no more bytes
  std::size_t most_growth = std::numeric_limits<std::size_t>::max();  ///< of no text: bytes for each that was packed
};

/// Pipes, devices and packed files may never end. Text has no zero bytes, no word of more than a million bytes and no
/// line of more than a billion; other data ends where its heading says, and does not pack better than it says.
class InputGuard {
 public:
  /// Knows a format by its first bytes; throws Error(Data) where they cannot be of it.
  using ReadHeading = std::function<Heading(std::string_view name, std::string_view head)>;
  using FirstLook = std::function<void(std::string_view head)>;

  /// Without `read_heading` it is text. `first_look` sees the first bytes of what is longer than that, and throws what
  /// it has against them.
  explicit InputGuard(std::string_view name, ReadHeading read_heading = {}, FirstLook first_look = {})
      : name_(name), read_heading_(std::move(read_heading)), first_look_(std::move(first_look)) {}

  /// What comes next was unpacked from so many bytes: a proof of a few bytes must not fill a disk.
  void unpacked_from(std::size_t packed) { packed_ = packed; }
  /// The next bytes. Throws Error(Data).
  void look(std::span<const std::byte> bytes);
  /// There are no more.
  void finish();
  /// Of all bytes of a file that is there as a whole; only the first few million of them are looked at.
  void look_at_start(std::span<const std::byte> bytes);

 private:
  void begin();
  void count(std::size_t bytes);
  void look_at_text(std::string_view text);
  void refuse_zero(std::string_view text) const;
  void measure_word(std::string_view text);
  void measure_line(std::string_view text);

  std::string name_;
  ReadHeading read_heading_;
  FirstLook first_look_;
  std::string head_;  // kept until there is enough of it
  bool begun_ = false;
  Heading heading_;
  std::size_t packed_ = 0;  // bytes, 0 for what is not packed
  std::size_t seen_ = 0;
  bool blank_ = true;        // so far
  std::size_t word_ = 0;     // bytes since the last separator
  std::size_t line_ = 1;     // the line that the next byte is in
  std::size_t in_line_ = 0;  // bytes of it so far
};

}  // namespace ellzero::io::bytes
