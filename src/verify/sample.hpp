// The data of a claim in a plain copy of its own, with the mean and scale of every column worked out afresh.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/settings.hpp"
#include "loss/all.hpp"
#include "penalty/coordinate.hpp"

namespace ellzero::verify {

/// What a node has decided about a feature.
enum class Choice : char { Free, In, Out };

/// Rows of weight 0 are left out. What penalties see of column j is (x_j - mean_j) scale_j.
class Sample {
 public:
  /// Throws Error(Usage) unless lambda2 is set, Error(Data) for shapes that do not fit together or entries that are no
  /// numbers.
  Sample(const Dataset& data, const Settings& settings);

  [[nodiscard]] Index rows() const { return static_cast<Index>(y_.size()); }
  [[nodiscard]] Index cols() const { return static_cast<Index>(scale_.size()); }
  [[nodiscard]] std::span<const double> y() const { return y_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }
  [[nodiscard]] std::span<const double> offset() const { return offset_; }
  [[nodiscard]] double mean(Index j) const { return mean_[j]; }    ///< 0 where nothing is centred
  [[nodiscard]] double scale(Index j) const { return scale_[j]; }  ///< 0 for a column that can explain nothing
  /// Root of sum_i w_i x_ij^2 of the column as it is, and less its mean; neither is below the exact one.
  [[nodiscard]] double norm(Index j) const { return norm_[j]; }
  [[nodiscard]] double centred_norm(Index j) const { return centred_norm_[j]; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const loss::AnyLoss& loss() const { return loss_; }
  [[nodiscard]] double lambda0() const { return settings_.lambda0.value_or(0); }
  [[nodiscard]] bool always(Index j) const { return always_[j]; }

  /// The box of a coefficient in the user's units.
  [[nodiscard]] penalty::Box box(Index j) const;
  /// What feature j costs in the solver's units, with `more_lambda2` added to lambda2.
  [[nodiscard]] penalty::Coordinate coordinate(Index j, double more_lambda2 = 0) const;

  /// u_i = intercept + sum_j slopes_j x_ij without the offset, columns as they are in the data.
  [[nodiscard]] std::vector<double> linear(double intercept, std::span<const Index> support,
                                           std::span<const double> slopes) const;
  /// sqrt(w_i) (x_ij - mean_j) scale_j
  [[nodiscard]] std::vector<double> weighted_column(Index j) const;
  /// sum_i x_ij v_i, columns as they are in the data.
  [[nodiscard]] double dot(Index j, std::span<const double> v) const;

  template <class Visit>
  void for_each_entry(Index j, Visit&& visit) const {
    for (std::size_t e = starts_[j]; e < starts_[j + 1]; ++e)
      visit(rows_.empty() ? static_cast<Index>(e - starts_[j]) : rows_[e], values_[e]);
  }

 private:
  void copy_samples(const Dataset& data, std::vector<Index>& place);
  void copy_columns(const Matrix& X, std::span<const Index> place);
  void measure(Index j, double total_weight);

  Settings settings_;
  loss::AnyLoss loss_;
  std::vector<double> y_, weights_, offset_, mean_, scale_, norm_, centred_norm_;
  std::vector<bool> always_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<Index> rows_;  // empty: every column has every row
  std::vector<double> values_;
};

}  // namespace ellzero::verify
