// Features that come from an object in Python: its methods are called with Python's lock, products run without it.
#pragma once

#include <memory>
#include <span>

#include <nanobind/nanobind.h>

#include "ellzero/column_source.hpp"
#include "python/raised.hpp"

namespace ellzero::python {

/// Asks columns(indices).
class CalledColumns final : public ColumnSource {
 public:
  /// `source` has rows, cols, block and columns, as the package has checked them; both are borrowed.
  CalledColumns(nanobind::handle source, Raised& raised);

  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return cols_; }
  [[nodiscard]] Index block() const override { return block_; }
  [[nodiscard]] Lent lend(std::span<const Index> columns) const override;

 private:
  Index rows_, cols_, block_;
  nanobind::object columns_;
  Raised& raised_;
};

/// Asks sweep(indices, v) for products, and columns(indices) for the rest.
class CalledSweep final : public FeatureSource {
 public:
  /// `source` has sweep and dot_error as well.
  CalledSweep(nanobind::handle source, Raised& raised);

  [[nodiscard]] Index rows() const override { return columns_.rows(); }
  [[nodiscard]] Index cols() const override { return columns_.cols(); }
  [[nodiscard]] Index block() const override { return columns_.block(); }
  [[nodiscard]] double dot_error() const override { return dot_error_; }
  void read(Index j, std::int32_t* rows, double* values) const override { columns_.read(j, rows, values); }
  void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const override;
  [[nodiscard]] double dot_from(Index j, double origin, std::span<const double> v) const override {
    return columns_.dot_from(j, origin, v);
  }
  void square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                   std::span<const double> means, std::span<double> out) const override {
    columns_.square_sums(columns, w, total_weight, means, out);
  }

 private:
  CalledColumns columns_;
  nanobind::object sweep_;
  double dot_error_;
  Raised& raised_;
};

/// One of the two; the caller has Python's lock, and has it when the source goes.
std::unique_ptr<const FeatureSource> called_source(nanobind::handle source, Raised& raised);

}  // namespace ellzero::python
