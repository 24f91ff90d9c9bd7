// Looks at data while it comes in: what cannot be of its format is refused before the rest of it fills the disk.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ellzero::io {

/// Pipes, devices and packed files may never end. Text has no zero bytes, no word of more than a million bytes and no
/// line of more than a billion; .npy data ends where its header says, and a proof is mostly numbers that do not pack.
class InputGuard {
 public:
  using FirstLook = std::function<void(std::string_view head)>;

  /// `format` is csv, tsv, libsvm, npy, mtx, proof, or empty for .npy data by its magic and text otherwise.
  /// `first_look` sees the first bytes of what is longer than that, and throws what it has against them.
  InputGuard(std::string_view name, std::string_view format, FirstLook first_look = {})
      : name_(name), format_(format), first_look_(std::move(first_look)) {}

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
  std::string format_;
  FirstLook first_look_;
  std::string head_;  // kept until there is enough of it
  bool begun_ = false;
  bool text_ = true;
  std::size_t promised_ = 0;  // of .npy data
  std::size_t packed_ = 0;    // bytes, 0 for what is not packed
  std::size_t seen_ = 0;
  bool blank_ = true;        // so far
  std::size_t word_ = 0;     // bytes since the last separator
  std::size_t line_ = 1;     // the line that the next byte is in
  std::size_t in_line_ = 0;  // bytes of it so far
};

}  // namespace ellzero::io
