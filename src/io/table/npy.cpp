// Reads the header of a .npy file: magic, version, and a Python dict literal with descr, fortran_order and shape.
#include "io/table/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/refusal.hpp"

namespace ellzero::io::table {
namespace {

struct Header {
  std::string_view descr;
  bool fortran_order = false;
  std::vector<Index> shape;
  std::size_t data_start = 0;
};

[[noreturn]] void fail(std::string_view name, std::string_view what) {
  throw Error(ErrorCode::Data, fmt::format("{}: {}", name, what));
}

/// The dict as NumPy writes it: three keys, each once, a string, True or False, and a tuple of whole numbers. Whatever
/// else Python would understand is refused: a header that is misread gives wrong numbers in silence.
class Dict {
 public:
  Dict(std::string_view name, std::string_view text) : name_(name), rest_(text) {}

  void read(Header& header) {
    expect('{');
    while (!take('}')) {
      const std::string_view key = string("a key");
      expect(':');
      if (std::find(seen_.begin(), seen_.end(), key) != seen_.end())
        fail(name_, fmt::format("has the key {} twice in its header", shown(key)));
      seen_.push_back(key);
      if (key == "descr") header.descr = string("a plain type");
      else if (key == "fortran_order") header.fortran_order = boolean();
      else if (key == "shape") header.shape = tuple();
      else fail(name_, fmt::format("has the key {} in its header; expected descr, fortran_order, shape", shown(key)));
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (!rest_.empty()) fail(name_, fmt::format("has {} behind the dict of its header", shown(rest_)));
    for (const std::string_view key : {"descr", "fortran_order", "shape"})
      if (std::find(seen_.begin(), seen_.end(), key) == seen_.end())
        fail(name_, fmt::format("has no '{}' in its header", key));
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }
  bool take(char wanted) {
    skip_spaces();
    if (rest_.empty() || rest_[0] != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) refuse_here(fmt::format("'{}'", wanted));
  }
  [[noreturn]] void refuse_here(std::string_view expected) const {
    fail(name_, fmt::format("has {} in its header; expected {}", shown(rest_), expected));
  }

  std::string_view string(std::string_view what) {
    skip_spaces();
    const char quote = rest_.empty() ? '\0' : rest_[0];
    const auto end = rest_.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos) refuse_here(what);
    const std::string_view found = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return found;
  }
  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"})
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return word == "True";
      }
    refuse_here("True or False as fortran_order");
  }
  std::vector<Index> tuple() {
    constexpr std::string_view expected = "a shape, a tuple of whole numbers, 0 or above";
    if (!take('(')) refuse_here(expected);
    std::vector<Index> numbers;
    for (bool comma = true; !take(')'); comma = take(',')) {
      if (!comma) refuse_here(expected);
      skip_spaces();
      Index& value = numbers.emplace_back();
      const auto [behind, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc() || value < 0) refuse_here(expected);
      const std::string_view before = rest_;
      rest_.remove_prefix(static_cast<std::size_t>(behind - rest_.data()));
      skip_spaces();
      if (numbers.size() == 1 && rest_.starts_with(')')) {
        rest_ = before;
        refuse_here("a comma behind the one number of a shape");
      }
    }
    return numbers;
  }

  std::string_view name_;
  std::string_view rest_;
  std::vector<std::string_view> seen_;
};

Header read_header(std::string_view name, std::span<const std::byte> bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (file.size() < 10 || !is_npy(file)) fail(name, "is not a .npy file (no magic at the start)");
  const auto byte = [&](std::size_t k) { return static_cast<std::size_t>(static_cast<unsigned char>(file[k])); };
  if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0)
    fail(name, fmt::format("is of version {}.{}; expected 1.0, 2.0 or 3.0", byte(6), byte(7)));
  const bool wide = byte(6) >= 2;  // versions 2 and 3 write the header's length in 4 bytes
  if (wide && file.size() < 12) fail(name, "ends inside its header");
  const std::size_t start = wide ? 12 : 10;
  const std::size_t length = byte(8) + (byte(9) << 8) + (wide ? (byte(10) << 16) + (byte(11) << 24) : 0);
  if (length > file.size() - start) fail(name, "ends inside its header");
  Header header;
  header.data_start = start + length;
  Dict(name, file.substr(start, length)).read(header);
  return header;
}

template <class T>
DenseMatrix<T> place(std::string_view name, const Header& header, std::span<const std::byte> bytes) {
  if (header.shape.empty() || header.shape.size() > 2)
    fail(name, fmt::format("has {} dimensions; expected 1 or 2", header.shape.size()));
  const Index rows = header.shape[0];
  const Index cols = header.shape.size() == 2 ? header.shape[1] : 1;
  if (rows == 0 || cols == 0)
    fail(name, fmt::format("has {} rows and {} features; expected at least one of each", rows, cols));
  const auto available = static_cast<Index>((bytes.size() - header.data_start) / sizeof(T));
  if (cols > available / rows)
    fail(name, fmt::format("holds {} numbers; its header promises {} x {}", available, rows, cols));
  const std::size_t promised = static_cast<std::size_t>(rows * cols) * sizeof(T);
  if (const std::size_t extra = bytes.size() - header.data_start - promised; extra > 0)
    fail(name, fmt::format("has {} bytes behind the {} x {} numbers that its header promises", extra, rows, cols));
  const auto* data = reinterpret_cast<const T*>(bytes.data() + header.data_start);
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0)
    fail(name, "does not start its data at a multiple of 8");
  return header.fortran_order || cols == 1 ? column_major(data, rows, cols) : row_major(data, rows, cols);
}

}  // namespace

std::size_t promised_npy_size(std::string_view name, std::span<const std::byte> bytes) {
  constexpr double most = 9e18;
  const Header header = read_header(name, bytes);
  double size = static_cast<double>(header.data_start);
  double numbers = header.descr.empty() ? 0 : std::max(header.descr.back() - '0', 1);  // '<f8': 8 bytes each
  for (const Index length : header.shape) numbers *= static_cast<double>(length);
  size += numbers;
  return size < most ? static_cast<std::size_t>(size) : static_cast<std::size_t>(most);
}

bool is_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }

NpyFile::NpyFile(bytes::FileBytes file) : file_(std::move(file)) {
  const Header header = read_header(file_.name(), file_.bytes());
  if (header.descr == "<f8") matrix_ = place<double>(file_.name(), header, file_.bytes());
  else if (header.descr == "<f4") matrix_ = place<float>(file_.name(), header, file_.bytes());
  else
    fail(file_.name(),
         fmt::format("holds {}; expected little-endian float64 ('<f8') or float32 ('<f4')", shown(header.descr)));
}

std::vector<double> read_npy_vector(const bytes::FileBytes& file) {
  const Header header = read_header(file.name(), file.bytes());
  std::vector<double> result;
  const auto copy = [&]<class T>(T /*type*/) {
    const auto vector = place<T>(file.name(), header, file.bytes());
    if (vector.cols != 1) fail(file.name(), fmt::format("is {} x {}; expected one column", vector.rows, vector.cols));
    result.assign(vector.data, vector.data + vector.rows);
  };
  const auto descr = header.descr;
  if (descr == "<f8") copy(double{});
  else if (descr == "<f4") copy(float{});
  else if (descr == "<i8") copy(std::int64_t{});
  else if (descr == "<i4") copy(std::int32_t{});
  else if (descr == "<i2") copy(std::int16_t{});
  else if (descr == "|i1") copy(std::int8_t{});
  else if (descr == "|u1" || descr == "|b1") copy(std::uint8_t{});
  else
    fail(file.name(), fmt::format("holds {}; expected little-endian floats, whole numbers or booleans", shown(descr)));
  return result;
}

}  // namespace ellzero::io::table
