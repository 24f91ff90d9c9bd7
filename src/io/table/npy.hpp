// NumPy .npy files: matrices of float64 or float32, used in place through a memory map, and vectors.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "ellzero/dataset.hpp"
#include "io/bytes/file_bytes.hpp"

namespace ellzero::io::table {

/// By the magic at the start.
bool is_npy(std::string_view bytes);

/// How many bytes a file has that begins with these, by its header. Throws Error(Data) as NpyFile does for what is
/// wrong with the header.
std::size_t promised_npy_size(std::string_view name, std::span<const std::byte> bytes);

class NpyFile {
 public:
  /// Throws Error(Data) when the header is not as NumPy writes it, the type is not little-endian float64 or float32,
  /// there are more than two dimensions, or the file is shorter or longer than its header says.
  explicit NpyFile(const std::filesystem::path& path) : NpyFile(bytes::FileBytes(path)) {}
  explicit NpyFile(bytes::FileBytes file);

  /// One dimension is taken as one column. Points into the map: valid while this object lives.
  [[nodiscard]] std::variant<DenseMatrix<double>, DenseMatrix<float>> matrix() const { return matrix_; }
  /// As MappedFile does.
  void check_unchanged() const { file_.check_unchanged(); }

 private:
  bytes::FileBytes file_;
  std::variant<DenseMatrix<double>, DenseMatrix<float>> matrix_;
};

/// One number per row, as double: one dimension, or two with a single column. Whole numbers and booleans are read as
/// well, as labels often are. Throws Error(Data) as NpyFile does.
std::vector<double> read_npy_vector(const bytes::FileBytes& file);

}  // namespace ellzero::io::table
