// View: the features as the solver sees them, any source centred and scaled, asked two questions: sweep and gather.
//
// sweep:  tau_j = x~_j' alpha for all columns or a chosen few, handed to a reducer, so that callers need not store p
//         numbers. One pass over the data; columns are cut into blocks whose borders do not depend on the number of
//         threads, and the blocks' reducers are merged in order: the same bits for any number of threads.
// gather: a compact copy of a few columns, centred and scaled.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "ellzero/feature_source.hpp"
#include "features/active.hpp"
#include "features/column.hpp"
#include "features/statistics.hpp"

namespace ellzero::features {

/// Receives tau_j for the columns of one block, in order; merge() appends the next block's reducer.
template <class R>
concept Reducer = std::copy_constructible<R> && requires(R r, const R& next, Index j, double tau) {
  r.visit(j, tau);
  r.merge(next);
};

/// The reducer that keeps every tau_j: tau[j] for a sweep over all columns.
struct StoreAll {
  std::span<double> tau;
  void visit(Index j, double value) { tau[j] = value; }
  void merge(const StoreAll& /*next*/) {}
};

class View {
 public:
  /// `weights` has one positive number per row; `pool` must outlive the view.
  View(std::shared_ptr<const FeatureSource> source, std::span<const double> weights, Standardisation standardisation,
       core::ThreadPool& pool);

  /// The same columns, swept by other threads.
  [[nodiscard]] View on(core::ThreadPool& pool) const {
    auto copy = *this;
    copy.pool_ = &pool;
    return copy;
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  [[nodiscard]] double origin(Index j) const { return origin_[j]; }
  [[nodiscard]] double mean(Index j) const { return mean_[j]; }
  [[nodiscard]] double scale(Index j) const { return scale_[j]; }
  [[nodiscard]] double norm(Index j) const { return norm_[j]; }

  /// |computed tau_j - exact tau_j| <= dot_error(j) sqrt(sum_i v_i^2 / w_i) when the sum of v was given exactly: the
  /// product runs over the column as stored, less its origin: a norm that counts the mean as well. (10.4)
  [[nodiscard]] double dot_error(Index j) const {
    const double at_mean = mean(j) * scale(j);
    return dot_error_ * std::sqrt(norm(j) * norm(j) + at_mean * at_mean * total_weight_) * (1 + 1e-6);
  }

  /// If x~_a is a multiple of x~_b, exactly: their entries in some row, before centring and in units of a's scale. They
  /// tell whether the columns are equal, and which is the longer one.
  [[nodiscard]] std::optional<std::pair<double, double>> multiples(Index a, Index b) const;

  /// x~_j' v for one column.
  [[nodiscard]] double dot(Index j, std::span<const double> v, double sum_v) const {
    double dot = 0;
    if (origin(j) == 0) source_->sweep({&j, 1}, v, {&dot, 1});
    refuse_unless_finite({&j, 1}, {&dot, 1});
    return tau(j, dot, v, sum_v);
  }

  /// visit(row, entry) for the entries of column j that are stored, as they were given.
  template <class Visit>
  void for_each_entry(Index j, Visit&& visit) const {
    Column column;
    column.read(*source_, j);
    column.for_each(std::forward<Visit>(visit));
  }

  template <Reducer R>
  [[nodiscard]] R sweep(std::span<const double> v, double sum_v, R reducer) const {
    return sweep_over(cols(), v, sum_v, std::move(reducer), [](Index first, std::span<Index> buffer) {
      std::iota(buffer.begin(), buffer.end(), first);
      return std::span<const Index>(buffer);
    });
  }

  template <Reducer R>
  [[nodiscard]] R sweep(std::span<const Index> columns, std::span<const double> v, double sum_v, R reducer) const {
    return sweep_over(static_cast<Index>(columns.size()), v, sum_v, std::move(reducer),
                      [&](Index first, std::span<Index> buffer) {
                        return columns.subspan(static_cast<std::size_t>(first), buffer.size());
                      });
  }

  /// out[k][j] = tau_j for every column j and all vectors v_k: columns are read from memory once. Bits may differ from
  /// those of sweep().
  void cross(std::span<const double* const> v, std::span<const double> sum_v, std::span<double* const> out) const;

  [[nodiscard]] ActiveMatrix gather(std::span<const Index> columns) const {
    return ActiveMatrix(*source_, columns, *statistics_);
  }

 private:
  /// x~_j' v from x_j' v, or from the entries less their origin where there is one.
  [[nodiscard]] double tau(Index j, double dot, std::span<const double> v, double sum_v) const {
    if (origin(j) != 0) dot = source_->dot_from(j, origin(j), v);
    return (dot - mean(j) * sum_v) * scale(j);
  }

  /// A bound must not rest on products that are no numbers; a sum is finite unless one of them is not.
  static void refuse_unless_finite(std::span<const Index> columns, std::span<const double> dots) {
    if (!std::isfinite(std::accumulate(dots.begin(), dots.end(), 0.0))) refuse_product(columns, dots);
  }
  [[noreturn]] static void refuse_product(std::span<const Index> columns, std::span<const double> dots);

  /// Columns at(first, buffer) of one call to the source; `buffer` is as long as they are many, and may hold them.
  template <class R, class At>
  void sweep_block(Index first, Index end, std::span<const double> v, double sum_v, R& reducer, At&& at) const {
    constexpr Index few = 64;
    std::array<Index, few> few_columns;
    std::array<double, few> few_dots;
    const auto step = static_cast<std::size_t>(group_);
    std::vector<Index> many_columns(group_ > few ? step : 0);
    std::vector<double> many_dots(many_columns.size());
    const std::span<Index> columns_buffer = group_ > few ? std::span<Index>(many_columns) : few_columns;
    const std::span<double> dots_buffer = group_ > few ? std::span<double>(many_dots) : few_dots;
    for (Index k = first; k < end; k += group_) {
      const auto count = static_cast<std::size_t>(std::min(group_, end - k));
      const std::span<const Index> columns = at(k, columns_buffer.first(count));
      const std::span<double> dots = dots_buffer.first(count);
      source_->sweep(columns, v, dots);
      refuse_unless_finite(columns, dots);
      for (std::size_t c = 0; c < count; ++c) reducer.visit(columns[c], tau(columns[c], dots[c], v, sum_v));
    }
  }

  template <class R, class At>
  R sweep_over(Index count, std::span<const double> v, double sum_v, R reducer, At&& at) const {
    const Index block = std::clamp<Index>(count / 256, group_, 64 * group_);
    const Index blocks = (count + block - 1) / block;
    if (blocks == 0) return reducer;
    std::vector<R> partial(static_cast<std::size_t>(blocks), reducer);
    pool_->run(blocks,
               [&](Index b) { sweep_block(b * block, std::min(count, (b + 1) * block), v, sum_v, partial[b], at); });
    for (Index b = 1; b < blocks; ++b) partial[0].merge(partial[b]);
    return std::move(partial[0]);
  }

  std::shared_ptr<const FeatureSource> source_;
  core::ThreadPool* pool_;
  Index rows_, cols_, group_;
  double dot_error_, total_weight_;
  std::shared_ptr<const ColumnStatistics> statistics_;
  const double *origin_, *mean_, *scale_, *norm_;  // of the statistics: asked for each feature of each sweep
};

}  // namespace ellzero::features
