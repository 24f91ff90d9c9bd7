// NumPy .npy files of float64 or float32, used in place through a memory map.
#pragma once

#include <filesystem>
#include <span>
#include <variant>

#include "ellzero/dataset.hpp"
#include "io/mapped_file.hpp"

namespace ellzero::io {

class NpyFile {
 public:
  /// Throws Error(Data) when the header is broken, the type is not little-endian float64 or float32, there are more
  /// than two dimensions, or the file is shorter than its header says.
  explicit NpyFile(const std::filesystem::path& path);

  /// One dimension is taken as one column. Points into the map: valid while this object lives.
  [[nodiscard]] std::variant<DenseMatrix<double>, DenseMatrix<float>> matrix() const { return matrix_; }

 private:
  MappedFile file_;
  std::variant<DenseMatrix<double>, DenseMatrix<float>> matrix_;
};

}  // namespace ellzero::io
