// Dense columns in memory: borrowed where they are column by column, copied once where they are not.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/kernels.hpp"
#include "features/make_source.hpp"

namespace ellzero::features {
namespace {

/// Column j starts at data + j * stride. The data is borrowed, or kept alive by `owner`.
template <class T>
class DenseSource final : public FeatureSource {
 public:
  DenseSource(const T* data, Index rows, Index cols, Index stride, std::shared_ptr<const void> owner = nullptr)
      : data_(data), rows_(rows), cols_(cols), stride_(stride), owner_(std::move(owner)) {}

  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return cols_; }

  void read(Index j, std::int32_t* /*rows*/, double* values) const override { std::copy_n(column(j), rows_, values); }

  void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const override {
    in_groups(columns, [&](std::span<const T* const> starts, std::size_t first) {
      core::column_dots(starts, v, out.data() + first);
    });
  }

  [[nodiscard]] double dot_from(Index j, double origin, std::span<const double> v) const override {
    return core::dot_from(column(j), v, origin);
  }

  void cross(std::span<const Index> columns, std::span<const double* const> v, std::span<double> out) const override {
    std::vector<double> dots(v.size() * group);
    in_groups(columns, [&](std::span<const T* const> starts, std::size_t first) {
      core::dot_matrix(starts, v, rows_, dots.data());
      for (std::size_t k = 0; k < v.size(); ++k)
        std::copy_n(dots.data() + k * starts.size(), starts.size(), out.data() + k * columns.size() + first);
    });
  }

  void square_sums(std::span<const Index> columns, std::span<const double> w, double /*total_weight*/,
                   std::span<const double> means, std::span<double> out) const override {
    for (std::size_t c = 0; c < columns.size(); ++c) out[c] = core::centred_square_sum(column(columns[c]), w, means[c]);
  }

 private:
  static constexpr std::size_t group = 64;  // columns multiplied together, so that v is read once for several of them

  [[nodiscard]] const T* column(Index j) const { return data_ + j * stride_; }

  template <class Work>
  void in_groups(std::span<const Index> columns, Work&& work) const {
    const T* starts[group];
    for (std::size_t first = 0; first < columns.size(); first += group) {
      const std::size_t count = std::min(group, columns.size() - first);
      for (std::size_t c = 0; c < count; ++c) starts[c] = column(columns[first + c]);
      work(std::span<const T* const>(starts, count), first);
    }
  }

  const T* data_;
  Index rows_, cols_, stride_;
  std::shared_ptr<const void> owner_;
};

/// Where rows are dropped, entries must be checked while rows are still counted as the user counts them.
template <class T>
void check_entries(const DenseMatrix<T>& X) {
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i)
      if (const T x = X.data[i * X.row_stride + j * X.col_stride]; !std::isfinite(x)) refuse_entry(i, j, x);
}

/// Copies in square blocks, so that both the strided reads and the contiguous writes stay in cache.
template <class T>
void copy_blocked(const DenseMatrix<T>& X, std::span<const Index> keep, T* out) {
  constexpr Index side = 64;
  const auto n = static_cast<Index>(keep.size());
  for (Index j0 = 0; j0 < X.cols; j0 += side)
    for (Index i0 = 0; i0 < n; i0 += side)
      for (Index j = j0; j < std::min(X.cols, j0 + side); ++j)
        for (Index i = i0; i < std::min(n, i0 + side); ++i)
          out[j * n + i] = X.data[keep[i] * X.row_stride + j * X.col_stride];
}

}  // namespace

template <class T>
std::shared_ptr<const FeatureSource> dense_source(const DenseMatrix<T>& X, std::span<const Index> keep) {
  check_shape(X.rows, X.cols, sizeof(T));
  if (X.data == nullptr) refuse("X.data: is null; expected the address of the entries");
  if (keep.empty() && X.row_stride == 1 && X.col_stride >= X.rows)
    return std::make_shared<DenseSource<T>>(X.data, X.rows, X.cols, X.col_stride);
  if (!keep.empty()) check_entries(X);
  const auto rows = rows_or_all(keep, X.rows);
  const auto n = static_cast<Index>(rows.size());
  const std::shared_ptr<T[]> copy(new T[static_cast<std::size_t>(n) * static_cast<std::size_t>(X.cols)]);
  copy_blocked<T>(X, rows, copy.get());
  return std::make_shared<DenseSource<T>>(copy.get(), n, X.cols, n, copy);
}

template std::shared_ptr<const FeatureSource> dense_source(const DenseMatrix<double>&, std::span<const Index>);
template std::shared_ptr<const FeatureSource> dense_source(const DenseMatrix<float>&, std::span<const Index>);

}  // namespace ellzero::features
