// LentColumns: what a ColumnSource lends, all rows or some of them, multiplied as the same columns of a matrix are.
#pragma once

#include <span>
#include <vector>

#include "ellzero/column_source.hpp"

namespace ellzero::features {

class LentColumns final : public FeatureSource {
 public:
  /// `keep` lists the rows to keep, ascending; empty keeps all of them. The source is borrowed.
  explicit LentColumns(const ColumnSource& source, std::span<const Index> keep = {});

  [[nodiscard]] Index rows() const override;
  [[nodiscard]] Index cols() const override { return source_.cols(); }
  [[nodiscard]] Index block() const override { return source_.block(); }
  void read(Index j, std::int32_t* rows, double* values) const override;
  void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const override;
  [[nodiscard]] double dot_from(Index j, double origin, std::span<const double> v) const override;
  void cross(std::span<const Index> columns, std::span<const double* const> v, std::span<double> out) const override;
  void square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                   std::span<const double> means, std::span<double> out) const override;

 private:
  class Loan;
  template <class Work>
  void in_groups(std::span<const Index> columns, Work&& work) const;

  const ColumnSource& source_;
  std::vector<Index> keep_;
};

}  // namespace ellzero::features
