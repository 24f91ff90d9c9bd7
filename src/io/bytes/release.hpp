// A reader tells how far it has come, so that pages of a mapped file that are behind it can leave memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace ellzero::io::bytes {

/// For one pass over the text; another pass takes a copy of its own. Pages that have left are read again from the file
/// where somebody looks at them once more. Without a map it does nothing.
class Release {
 public:
  Release() = default;
  explicit Release(std::span<const std::byte> map);

  /// What lies before `upto` has been read.
  void operator()(const char* upto) {
    if (reinterpret_cast<std::uintptr_t>(upto) >= due_) let_go(reinterpret_cast<std::uintptr_t>(upto));
  }

 private:
  void let_go(std::uintptr_t upto);

  std::uintptr_t from_ = 0;                                          // the first page that has not left
  std::uintptr_t due_ = std::numeric_limits<std::uintptr_t>::max();  // not worth a system call before
};

}  // namespace ellzero::io::bytes
