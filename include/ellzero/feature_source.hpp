// FeatureSource: where the columns of X come from. Write your own for columns that are made, mapped or kept elsewhere.
//
// A solver asks a source a few long questions: the products of many columns with a vector, or the entries of a few
// columns. Only rows(), cols() and read() must be written; the products then run over what read() gives. A source that
// knows a faster way overrides sweep(), cross() and square_sums(), and says in dot_error() how exact its products are:
// bounds rest on that. Several threads ask at once.
#pragma once

#include <cstdint>
#include <span>

#include "ellzero/index.hpp"

namespace ellzero {

class FeatureSource {
 public:
  FeatureSource() = default;
  FeatureSource(const FeatureSource&) = default;
  FeatureSource& operator=(const FeatureSource&) = default;
  virtual ~FeatureSource();

  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index cols() const = 0;

  /// Whether columns list the rows of their entries, all other entries being 0.
  [[nodiscard]] virtual bool is_sparse() const;

  /// The number of entries that read(j) gives: all rows unless the source is sparse.
  [[nodiscard]] virtual Index stored(Index j) const;

  /// Writes the stored(j) entries of column j to `values`, by ascending row, and their rows to `rows` where the source
  /// is sparse (elsewhere `rows` is null).
  virtual void read(Index j, std::int32_t* rows, double* values) const = 0;

  /// out[c] = x_j' v for j = columns[c]. The bits of a product must not depend on the others it is asked for with.
  virtual void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const;

  /// sum_i (x_ij - origin) v_i over the stored entries of one column: for columns that are far from 0.
  [[nodiscard]] virtual double dot_from(Index j, double origin, std::span<const double> v) const;

  /// out[k * columns.size() + c] = x_j' v_k for j = columns[c]: many vectors in one pass. Bits may differ from sweep's.
  virtual void cross(std::span<const Index> columns, std::span<const double* const> v, std::span<double> out) const;

  /// out[c] = sum_i w_i (x_ij - means[c])^2 over all rows, for j = columns[c], to a relative error of
  /// 1e-9; total_weight is the sum of w.
  virtual void square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                           std::span<const double> means, std::span<double> out) const;

  /// |computed - exact x_j' v| <= dot_error() sum_i |x_ij v_i| for every product above, with 8 unit roundoffs to spare
  /// for centring and scaling.
  [[nodiscard]] virtual double dot_error() const;

  /// How many columns sweep() likes to be asked for at once; a sweep of more is cut up for several threads.
  [[nodiscard]] virtual Index block() const;
};

}  // namespace ellzero
