// A squared-loss problem in Gram space: weights, offset and intercept are absorbed, columns are known by inner
// products.
//
//   constant + b'Hb/2 - c'b + sum_j g_j(b_j),   H = X~'W X~, c = X~'W (y - o), both centred where there is an intercept
//
// Rows of H are worked out when first asked for, several at once where that is known beforehand; any thread may ask.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "ellzero/dataset.hpp"
#include "penalty/coordinate.hpp"

namespace ellzero::exact::gram {

using penalty::Coordinate;

/// How far computed inner products may be from the exact ones: |H_ij - exact| <= norm_i error_j + norm_j error_i.
struct ColumnSize {
  double norm = 0;
  double error = 0;
};

class Quadratic {
 public:
  /// Writes row features[k] of H to rows[k].
  using RowMaker = std::function<void(std::span<const Index> features, std::span<double* const> rows)>;

  Quadratic(RowMaker make_rows, std::vector<double> c, std::vector<ColumnSize> sizes, double constant,
            ColumnSize target, std::vector<Coordinate> free, std::vector<Coordinate> in)
      : make_rows_(std::move(make_rows)),
        c_(std::move(c)),
        sizes_(std::move(sizes)),
        constant_(constant),
        target_(target),
        free_(std::move(free)),
        in_(std::move(in)),
        d_(c_.size(), 0.0),
        rows_(c_.size()),
        ready_(c_.size()) {}

  [[nodiscard]] Index size() const { return static_cast<Index>(c_.size()); }
  [[nodiscard]] double c(Index j) const { return c_[j]; }
  [[nodiscard]] double constant() const { return constant_; }  ///< sum_i w_i (y_i - o_i)^2 / 2, centred
  [[nodiscard]] const ColumnSize& column(Index j) const { return sizes_[j]; }
  [[nodiscard]] const ColumnSize& target() const { return target_; }  ///< of y - o
  /// The penalty of a feature that may be left out, and of one that is in.
  [[nodiscard]] const Coordinate& free(Index j) const { return free_[j]; }
  [[nodiscard]] const Coordinate& in(Index j) const { return in_[j]; }

  /// The diagonal that has moved from H into lambda2_j = lambda2 + d_j / 2; rows are those of H without that. (7.3)
  [[nodiscard]] double d(Index j) const { return d_[j]; }
  [[nodiscard]] bool moved() const {
    return std::any_of(d_.begin(), d_.end(), [](double d) { return d != 0; });
  }
  void move_back() {
    for (Index j = 0; j < size(); ++j) move_diagonal(j, 0);
  }
  void move_diagonal(Index j, double d) {
    const double lambda2 = free_[j].lambda2() + 0.5 * (d - d_[j]);
    free_[j] = free_[j].with_lambda2(lambda2);
    in_[j] = in_[j].with_lambda2(lambda2);
    d_[j] = d;
  }

  [[nodiscard]] std::span<const double> row(Index j) const {
    if (!ready_[j].load(std::memory_order_acquire)) know({&j, 1});
    return {rows_[j].get(), c_.size()};
  }

  /// Works out the rows of these features, as far as they are not known yet.
  void know(std::span<const Index> features) const {
    constexpr std::size_t at_once = 64;
    const std::lock_guard lock(mutex_);
    std::vector<Index> missing;
    std::vector<double*> rows;
    const auto make = [&] {
      make_rows_(missing, rows);
      for (const Index j : missing) ready_[j].store(true, std::memory_order_release);
      bytes_ += missing.size() * c_.size() * sizeof(double);
      missing.clear();
      rows.clear();
    };
    for (const Index j : features) {
      if (rows_[j] != nullptr) continue;
      rows_[j] = std::make_unique_for_overwrite<double[]>(c_.size());
      missing.push_back(j);
      rows.push_back(rows_[j].get());
      if (missing.size() == at_once) make();
    }
    if (!missing.empty()) make();
  }

  /// Memory that rows take.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  RowMaker make_rows_;
  std::vector<double> c_;
  std::vector<ColumnSize> sizes_;
  double constant_;
  ColumnSize target_;
  std::vector<Coordinate> free_, in_;
  std::vector<double> d_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<double[]>> rows_;
  mutable std::vector<std::atomic<bool>> ready_;
  mutable std::atomic<std::size_t> bytes_ = 0;
};

}  // namespace ellzero::exact::gram
