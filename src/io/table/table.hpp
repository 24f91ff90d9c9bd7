// What every reader of data returns: a matrix with its names, targets, weights and offset, all owned.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ellzero/dataset.hpp"
#include "io/table/encoding.hpp"
#include "io/table/npy.hpp"

namespace ellzero::io::table {

/// Column j is values[j * rows] .. values[(j + 1) * rows - 1].
struct DenseTable {
  Index rows = 0;
  Index cols = 0;
  std::vector<double> values;
};

/// Compressed sparse columns, rows ascending in each column.
template <class I>
struct SparseTable {
  Index rows = 0;
  Index cols = 0;
  std::vector<I> indptr;
  std::vector<I> indices;
  std::vector<double> values;
};

struct Table {
  std::variant<DenseTable, SparseTable<std::int32_t>, SparseTable<std::int64_t>, NpyFile> X;
  std::vector<std::string> names;    ///< of the features; empty where the format has none
  std::vector<double> y;             ///< with `classes`: 0 for the first of them, 1 for the second
  std::vector<std::string> classes;  ///< targets that are words, in the order they appear; empty for numbers
  std::vector<double> weights;       ///< empty where none were asked for
  std::vector<double> offset;
  std::vector<double> folds;           ///< equal numbers: left out together
  std::string target_name = "target";  ///< of the columns that y, weights and offset come from
  std::string weights_name = "weights";
  std::string offset_name = "offset";
  Encoding encoding;               ///< how words and missing cells became numbers
  std::vector<std::string> notes;  ///< choices that were made for the user

  /// Borrows: valid while the table lives.
  [[nodiscard]] Matrix matrix() const;
  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index cols() const;
  /// Once the table has been used: throws Error(InputOutput) where its matrix is still in a file, and somebody has
  /// written to that meanwhile.
  void check_unchanged() const;
  /// The feature's name; "x0", "x1", ... where the format has none.
  [[nodiscard]] std::string name(Index j) const;
};

}  // namespace ellzero::io::table
