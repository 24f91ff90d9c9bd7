// ColumnSource: a source that lends its dense columns, many at once, where they lie.
//
// Write it where one question costs more than the answer: columns that are called for in another language or fetched
// from elsewhere. Only rows(), cols() and lend() must be written. Every answer has the bits that the matrix in one
// piece gives, also where rows are left out.
#pragma once

#include <memory>
#include <span>
#include <variant>

#include "ellzero/dataset.hpp"
#include "ellzero/feature_source.hpp"

namespace ellzero {

class ColumnSource : public FeatureSource {
 public:
  struct Lent {
    std::variant<DenseMatrix<double>, DenseMatrix<float>> entries;
    std::shared_ptr<const void> owner;  ///< holds the entries until it is dropped, by whatever thread
  };

  /// Column c of the answer is column columns[c] of the source: rows() x columns.size() entries, and block() columns at
  /// most. Several threads ask at once.
  [[nodiscard]] virtual Lent lend(std::span<const Index> columns) const = 0;

  // Entries that are not finite are refused by row and column.
  void read(Index j, std::int32_t* rows, double* values) const override;
  void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const override;
  [[nodiscard]] double dot_from(Index j, double origin, std::span<const double> v) const override;
  void cross(std::span<const Index> columns, std::span<const double* const> v, std::span<double> out) const override;
  void square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                   std::span<const double> means, std::span<double> out) const override;
};

}  // namespace ellzero
