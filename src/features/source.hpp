// FeatureSource: the ocean of features, asked two questions only, sweep(alpha) and gather(columns).
//
// sweep:  tau_j = x~_j' alpha for all columns or a chosen few, handed to a reducer, so that callers need not store p
//         numbers. One pass over the data; columns are cut into blocks whose borders do not depend on the number of
//         threads, and the blocks' reducers are merged in order: the same bits for any number of threads.
// gather: a compact copy of a few columns, centred and scaled.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/rounding.hpp"
#include "core/thread_pool.hpp"
#include "features/active.hpp"
#include "features/columns.hpp"
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

template <class S>
concept FeatureSource = requires(const S& source, std::span<const double> v, double sum_v,
                                 std::span<const Index> columns, StoreAll reducer, Index j) {
  { source.rows() } -> std::same_as<Index>;
  { source.cols() } -> std::same_as<Index>;
  { source.sweep(v, sum_v, reducer) } -> std::same_as<StoreAll>;
  { source.sweep(columns, v, sum_v, reducer) } -> std::same_as<StoreAll>;
  { source.gather(columns) } -> ActiveMatrix;
  { source.dot(j, v, sum_v) } -> std::same_as<double>;
  { source.norm(j) } -> std::same_as<double>;
  { source.dot_error(j) } -> std::same_as<double>;
};

template <class Columns>
class ColumnSource {
 public:
  /// `weights` has one positive number per row; `pool` must outlive the source.
  ColumnSource(Columns columns, std::span<const double> weights, Standardisation standardisation,
               core::ThreadPool& pool)
      : columns_(std::move(columns)),
        pool_(&pool),
        total_weight_(std::accumulate(weights.begin(), weights.end(), 0.0)),
        statistics_(column_statistics(columns_, weights, total_weight_, standardisation, pool)) {}

  /// The same columns, swept by other threads.
  [[nodiscard]] ColumnSource on(core::ThreadPool& pool) const {
    auto copy = *this;
    copy.pool_ = &pool;
    return copy;
  }

  [[nodiscard]] Index rows() const { return columns_.rows; }
  [[nodiscard]] Index cols() const { return columns_.cols; }
  [[nodiscard]] double origin(Index j) const { return statistics_.origin[j]; }
  [[nodiscard]] double mean(Index j) const { return statistics_.mean[j]; }
  [[nodiscard]] double scale(Index j) const { return statistics_.scale[j]; }
  [[nodiscard]] double norm(Index j) const { return statistics_.norm[j]; }

  /// |computed tau_j - exact tau_j| <= dot_error(j) sqrt(sum_i v_i^2 / w_i) when the sum of v was given exactly: the
  /// product runs over the column as stored, less its origin: a norm that counts the mean as well. (10.4)
  [[nodiscard]] double dot_error(Index j) const {
    const double at_mean = mean(j) * scale(j);
    return core::dot_error(rows()) * std::sqrt(norm(j) * norm(j) + at_mean * at_mean * total_weight_) * (1 + 1e-6);
  }

  /// If x~_a is a multiple of x~_b, exactly: their entries in some row, before centring and in units of a's scale. They
  /// tell whether the columns are equal, and which is the longer one.
  [[nodiscard]] std::optional<std::pair<double, double>> multiples(Index a, Index b) const {
    const auto entries_of = [&](Index j) {
      std::vector<std::pair<Index, double>> entries;
      columns_.for_each_entry(j, [&](Index i, double x) {
        if (x != 0) entries.emplace_back(i, x);
      });
      return entries;
    };
    const auto in_a = entries_of(a), in_b = entries_of(b);
    if (in_a.empty() || in_a.size() != in_b.size()) return std::nullopt;
    const double first_a = in_a[0].second, first_b = in_b[0].second;
    for (const auto& [at_a, at_b] : {std::pair(origin(a), origin(b)), std::pair(mean(a), mean(b))})
      if (!core::equal_products(at_a, first_b, at_b, first_a)) return std::nullopt;
    for (std::size_t k = 0; k < in_a.size(); ++k)
      if (in_a[k].first != in_b[k].first || !core::equal_products(in_a[k].second, first_b, in_b[k].second, first_a))
        return std::nullopt;
    if (scale(a) == scale(b)) return std::pair(first_a, first_b);
    if (!core::equal_products(std::abs(first_a), scale(a), std::abs(first_b), scale(b))) return std::nullopt;
    return std::pair(first_a, std::copysign(first_a, first_b));
  }

  /// x~_j' v for one column.
  [[nodiscard]] double dot(Index j, std::span<const double> v, double sum_v) const {
    return tau(j, origin(j) == 0 ? columns_.weighted_sum(j, v) : 0, v, sum_v);
  }

  /// visit(row, entry) for the entries of column j that are stored, as they were given.
  template <class Visit>
  void for_each_entry(Index j, Visit&& visit) const {
    columns_.for_each_entry(j, std::forward<Visit>(visit));
  }

  template <Reducer R>
  [[nodiscard]] R sweep(std::span<const double> v, double sum_v, R reducer) const {
    return sweep_over(
        cols(), [](Index k) { return k; }, v, sum_v, std::move(reducer));
  }

  template <Reducer R>
  [[nodiscard]] R sweep(std::span<const Index> columns, std::span<const double> v, double sum_v, R reducer) const {
    return sweep_over(
        static_cast<Index>(columns.size()), [&](Index k) { return columns[k]; }, v, sum_v, std::move(reducer));
  }

  /// visit(k, j, tau_j) for every column j and all vectors v_k: columns are read from memory once. Bits may differ from
  /// those of sweep().
  template <class Visit>
  void sweep_each(std::span<const double* const> v, std::span<const double> sum_v, Visit&& visit) const {
    for (Index first = 0; first < cols(); first += Columns::group)
      columns_.for_each_dot(first, std::min(Columns::group, cols() - first), v,
                            [&](std::size_t k, Index j, double dot) {
                              visit(k, j, tau(j, dot, {v[k], static_cast<std::size_t>(rows())}, sum_v[k]));
                            });
  }

  [[nodiscard]] auto gather(std::span<const Index> columns) const {
    return ActiveOf<Columns>(columns_, columns, statistics_);
  }

 private:
  /// x~_j' v from x_j' v, or from the entries less their origin where there is one.
  [[nodiscard]] double tau(Index j, double dot, std::span<const double> v, double sum_v) const {
    if (origin(j) != 0) dot = columns_.weighted_sum(j, v, origin(j));
    return (dot - mean(j) * sum_v) * scale(j);
  }

  template <class R, class At>
  R sweep_over(Index count, At column_at, std::span<const double> v, double sum_v, R reducer) const {
    const Index block = std::clamp<Index>(count / 256, Columns::group, 64 * Columns::group);
    const Index blocks = (count + block - 1) / block;
    if (blocks == 0) return reducer;
    std::vector<R> partial(static_cast<std::size_t>(blocks), reducer);
    pool_->run(blocks, [&](Index b) {
      const Index end = std::min(count, (b + 1) * block);
      R& here = partial[b];
      for (Index k = b * block; k < end; k += Columns::group)
        columns_.for_each_dot(k, std::min(Columns::group, end - k), column_at, v,
                              [&](Index j, double dot) { here.visit(j, tau(j, dot, v, sum_v)); });
    });
    for (Index b = 1; b < blocks; ++b) partial[0].merge(partial[b]);
    return std::move(partial[0]);
  }

  Columns columns_;
  core::ThreadPool* pool_;
  double total_weight_;
  ColumnStatistics statistics_;
};

static_assert(FeatureSource<ColumnSource<DenseColumns<double>>>);
static_assert(FeatureSource<ColumnSource<SparseColumns<float, std::int64_t>>>);

}  // namespace ellzero::features
