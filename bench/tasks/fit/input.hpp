// The data of one benchmark run, mapped from a folder: X.npy or compressed columns as raw arrays, and y.npy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <optional>
#include <span>
#include <stdexcept>
#include <variant>

#include "ellzero/dataset.hpp"
#include "io/bytes/mapped_file.hpp"
#include "io/table/npy.hpp"

namespace ellzero::bench {

/// X.npy holds float64, column-major; without it indptr and indices (int32) and values (float64) are raw arrays.
class Input {
 public:
  explicit Input(const std::filesystem::path& folder) : y_file_(folder / "y.npy") {
    const auto column = std::get<DenseMatrix<double>>(y_file_.matrix());
    data_.y = {column.data, static_cast<std::size_t>(column.rows)};
    if (exists(folder / "X.npy")) read_dense(folder);
    else read_sparse(folder);
  }

  [[nodiscard]] const Dataset& data() const { return data_; }
  [[nodiscard]] std::size_t matrix_bytes() const { return matrix_bytes_; }

  /// Reads one number of every page, so that what is mapped counts as resident before anything is measured.
  [[nodiscard]] double touch() const {
    return std::visit(
        []<class M>(const M& X) {
          if constexpr (std::is_pointer_v<M>) return 0.0;  // never read from a file
          else return touched(X);
        },
        data_.X);
  }

 private:
  void read_dense(const std::filesystem::path& folder) {
    X_file_.emplace(folder / "X.npy");
    const auto X = std::get<DenseMatrix<double>>(X_file_->matrix());
    if (X.row_stride != 1) throw std::invalid_argument("X.npy: expected column-major order");
    matrix_bytes_ = static_cast<std::size_t>(X.rows * X.cols) * sizeof(double);
    data_.X = X;
  }

  void read_sparse(const std::filesystem::path& folder) {
    const auto indptr = raw<std::int32_t>(folder / "indptr");
    const auto indices = raw<std::int32_t>(folder / "indices");
    const auto values = raw<double>(folder / "values");
    matrix_bytes_ = indptr.size_bytes() + indices.size_bytes() + values.size_bytes();
    data_.X = SparseMatrix<double, std::int32_t>{static_cast<Index>(data_.y.size()),
                                                 static_cast<Index>(indptr.size()) - 1, indptr, indices, values};
  }

  template <class T>
  std::span<const T> raw(const std::filesystem::path& path) {
    const auto bytes = files_.emplace_back(path).bytes();
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  template <class T>
  static double touched(std::span<const T> array) {
    double sum = 0;
    for (std::size_t i = 0; i < array.size(); i += 512 / sizeof(T)) sum += static_cast<double>(array[i]);
    return sum;
  }
  template <class T>
  static double touched(const DenseMatrix<T>& X) {
    return touched(std::span<const T>(X.data, static_cast<std::size_t>(X.rows * X.cols)));
  }
  template <class T, class I>
  static double touched(const SparseMatrix<T, I>& X) {
    return touched(X.indptr) + touched(X.indices) + touched(X.values);
  }

  io::table::NpyFile y_file_;
  std::optional<io::table::NpyFile> X_file_;
  std::list<io::bytes::MappedFile> files_;
  Dataset data_;
  std::size_t matrix_bytes_ = 0;
};

}  // namespace ellzero::bench
