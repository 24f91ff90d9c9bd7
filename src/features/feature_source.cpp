// What a FeatureSource that only reads its columns answers to the other questions.
#include "ellzero/feature_source.hpp"

#include <cstddef>
#include <vector>

#include "core/kernels.hpp"
#include "core/rounding.hpp"
#include "features/column.hpp"

namespace ellzero {

FeatureSource::~FeatureSource() = default;

bool FeatureSource::is_sparse() const { return false; }

Index FeatureSource::stored(Index /*j*/) const { return rows(); }

void FeatureSource::sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const {
  features::Column column;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    column.read(*this, columns[c]);
    out[c] = column.is_sparse() ? core::sparse_dot(column.values(), column.rows(), column.stored(), v.data())
                                : core::dot(column.values(), v);
  }
}

double FeatureSource::dot_from(Index j, double origin, std::span<const double> v) const {
  features::Column column;
  column.read(*this, j);
  return column.is_sparse() ? core::sparse_dot(column.values(), column.rows(), column.stored(), v.data(), origin)
                            : core::dot_from(column.values(), v, origin);
}

void FeatureSource::cross(std::span<const Index> columns, std::span<const double* const> v,
                          std::span<double> out) const {
  for (std::size_t k = 0; k < v.size(); ++k)
    sweep(columns, {v[k], static_cast<std::size_t>(rows())}, out.subspan(k * columns.size(), columns.size()));
}

void FeatureSource::square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                                std::span<const double> means, std::span<double> out) const {
  features::Column column;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    column.read(*this, columns[c]);
    out[c] = column.is_sparse()
                 ? features::square_sum(column.values(), column.rows(), column.stored(), w, total_weight, means[c])
                 : core::centred_square_sum(column.values(), w, means[c]);
  }
}

double FeatureSource::dot_error() const { return core::dot_error(rows()); }

Index FeatureSource::block() const { return 64; }

}  // namespace ellzero
