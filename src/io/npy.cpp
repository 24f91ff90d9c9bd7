// Reads the header of a .npy file: magic, version, and a Python dict literal with descr, fortran_order and shape.
#include "io/npy.hpp"

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

namespace ellzero::io {
namespace {

struct Header {
  std::string_view descr;
  bool fortran_order = false;
  std::vector<Index> shape;
  std::size_t data_start = 0;
};

class Parser {
 public:
  Parser(std::string name, std::span<const std::byte> bytes) : name_(std::move(name)), bytes_(bytes) {}

  Header parse() {
    const std::string_view file(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    if (file.size() < 10 || file.substr(0, 6) != "\x93NUMPY") fail("is not a .npy file (no magic at the start)");
    const auto byte = [&](std::size_t k) { return static_cast<std::size_t>(static_cast<unsigned char>(file[k])); };
    const bool wide = byte(6) >= 2;  // versions 2 and 3 write the header's length in 4 bytes
    if (wide && file.size() < 12) fail("ends inside its header");
    const std::size_t start = wide ? 12 : 10;
    const std::size_t length = byte(8) + (byte(9) << 8) + (wide ? (byte(10) << 16) + (byte(11) << 24) : 0);
    if (length > file.size() - start) fail("ends inside its header");
    const std::string_view dict = file.substr(start, length);
    Header header;
    header.data_start = start + length;
    header.descr = quoted(after(dict, "'descr':"));
    header.fortran_order = after(dict, "'fortran_order':").substr(0, 4) == "True";
    header.shape = numbers(after(dict, "'shape':"));
    return header;
  }

  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorCode::Data, name_ + ": " + what); }

 private:
  [[nodiscard]] std::string_view after(std::string_view dict, std::string_view key) const {
    const auto at = dict.find(key);
    if (at == std::string_view::npos) fail(fmt::format("has no {} in its header", key));
    const auto value = dict.find_first_not_of(' ', at + key.size());
    return value == std::string_view::npos ? std::string_view() : dict.substr(value);
  }

  [[nodiscard]] std::string_view quoted(std::string_view text) const {
    const auto end = text.find('\'', 1);
    if (text.empty() || text[0] != '\'' || end == std::string_view::npos) fail("has no plain type in its header");
    return text.substr(1, end - 1);
  }

  [[nodiscard]] std::vector<Index> numbers(std::string_view text) const {
    const auto end = text.find(')');
    if (text.empty() || text[0] != '(' || end == std::string_view::npos) fail("has no shape in its header");
    std::vector<Index> result;
    const char* const last = text.data() + end;
    for (const char* at = text.data() + 1; at < last;) {
      Index value = 0;
      const auto [next, error] = std::from_chars(at, last, value);
      if (error != std::errc() || value < 0) fail("has a shape that is not made of whole numbers");
      result.push_back(value);
      at = std::find_if(next, last, [](char c) { return c != ',' && c != ' '; });
    }
    return result;
  }

  std::string name_;
  std::span<const std::byte> bytes_;
};

template <class T>
DenseMatrix<T> place(const Parser& parser, const Header& header, std::span<const std::byte> bytes) {
  if (header.shape.empty() || header.shape.size() > 2)
    parser.fail(fmt::format("has {} dimensions; expected 1 or 2", header.shape.size()));
  const Index rows = header.shape[0];
  const Index cols = header.shape.size() == 2 ? header.shape[1] : 1;
  if (rows == 0 || cols == 0)
    parser.fail(fmt::format("has {} rows and {} features; expected at least one of each", rows, cols));
  const auto available = static_cast<Index>((bytes.size() - header.data_start) / sizeof(T));
  if (cols > available / rows)
    parser.fail(fmt::format("holds {} numbers; its header promises {} x {}", available, rows, cols));
  const auto* data = reinterpret_cast<const T*>(bytes.data() + header.data_start);
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0)
    parser.fail("does not start its data at a multiple of 8");
  return header.fortran_order || cols == 1 ? column_major(data, rows, cols) : row_major(data, rows, cols);
}

}  // namespace

NpyFile::NpyFile(FileBytes file) : file_(std::move(file)) {
  Parser parser(file_.name(), file_.bytes());
  const Header header = parser.parse();
  if (header.descr == "<f8") matrix_ = place<double>(parser, header, file_.bytes());
  else if (header.descr == "<f4") matrix_ = place<float>(parser, header, file_.bytes());
  else parser.fail(fmt::format("holds '{}'; expected little-endian float64 ('<f8') or float32 ('<f4')", header.descr));
}

std::vector<double> read_npy_vector(const FileBytes& file) {
  Parser parser(file.name(), file.bytes());
  const Header header = parser.parse();
  std::vector<double> result;
  const auto copy = [&]<class T>(T /*type*/) {
    const auto vector = place<T>(parser, header, file.bytes());
    if (vector.cols != 1) parser.fail(fmt::format("is {} x {}; expected one column", vector.rows, vector.cols));
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
  else parser.fail(fmt::format("holds '{}'; expected little-endian floats, whole numbers or booleans", descr));
  return result;
}

}  // namespace ellzero::io
