// The data of a claim in a plain copy of its own, with the mean and scale of every column worked out afresh.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/settings.hpp"
#include "loss/all.hpp"
#include "verify/interval.hpp"

namespace ellzero::verify {

/// What a node has decided about a feature.
enum class Choice : char { Free, In, Out };

/// Rows of weight 0 are left out. What penalties see of column j is (x_j - mean_j) scale_j: docs/proofs.md, section 3.
class Sample {
 public:
  /// Throws Error(Usage) unless lambda2 and one of lambda0 and k are set and suit the data, Error(Data) for shapes that
  /// do not fit together and for entries that are no numbers or out of range.
  Sample(const Dataset& data, const Settings& settings);

  [[nodiscard]] Index rows() const { return static_cast<Index>(y_.size()); }
  [[nodiscard]] Index cols() const { return static_cast<Index>(columns_.size()); }
  /// Numbers that the columns store: zeros of a sparse matrix are not among them.
  [[nodiscard]] std::size_t entries() const { return values_.size(); }
  [[nodiscard]] std::span<const double> y() const { return y_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }
  [[nodiscard]] std::span<const double> offset() const { return offset_; }
  [[nodiscard]] const Interval& total_weight() const { return total_weight_; }
  /// y - o, less a constant where there is an intercept: target_i + target_rest_i, but for target_error_i.
  [[nodiscard]] std::span<const double> target() const { return target_; }
  [[nodiscard]] std::span<const double> target_rest() const { return target_rest_; }
  [[nodiscard]] std::span<const double> target_error() const { return target_error_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const loss::AnyLoss& loss() const { return loss_; }
  [[nodiscard]] double lambda0() const { return settings_.lambda0.value_or(0); }
  [[nodiscard]] double lambda1() const { return settings_.lambda1; }
  [[nodiscard]] double lambda2() const { return *settings_.lambda2; }
  [[nodiscard]] bool always(Index j) const { return columns_[j].always; }

  /// Whether column j can explain nothing.
  [[nodiscard]] bool constant(Index j) const { return columns_[j].constant; }
  /// mean_j = shift + rest, the rest being small: 0 without an intercept.
  [[nodiscard]] double shift(Index j) const { return columns_[j].shift; }
  [[nodiscard]] const Interval& shift_rest(Index j) const { return columns_[j].shift_rest; }
  /// Not of constant columns.
  [[nodiscard]] const Interval& scale(Index j) const { return columns_[j].scale; }
  /// Root of sum_i w_i x_ij^2 of the column as it is, and less its shift; neither is below the exact one.
  [[nodiscard]] double norm(Index j) const { return columns_[j].norm; }
  [[nodiscard]] double shifted_norm(Index j) const { return columns_[j].shifted_norm; }

  /// The ends of a coefficient in the user's units; infinite where there are none.
  [[nodiscard]] double lower(Index j) const;
  [[nodiscard]] double upper(Index j) const;

  /// sum_i x_ij v_i, the column as it is in the data; `length` >= sqrt(sum_i v_i^2 / w_i).
  [[nodiscard]] Interval dot(Index j, std::span<const double> v, double length) const;
  /// sqrt(w_i) (x_ij - mean_j) scale_j, of norm |z_j|, and how far in that norm, relative to |z_j|, it is off at most.
  [[nodiscard]] std::vector<double> weighted_column(Index j) const;
  [[nodiscard]] double weighted_column_error(Index j) const;

  template <class Visit>
  void for_each_entry(Index j, Visit&& visit) const {
    const Entries entries = entries_of(j);
    for (std::size_t e = 0; e < entries.values.size(); ++e)
      visit(entries.rows.empty() ? static_cast<Index>(e) : entries.rows[e], entries.values[e]);
  }

 private:
  struct Column {
    bool constant = false;
    bool always = false;
    double shift = 0;
    Interval shift_rest, scale, spread;  // spread: sum_i w_i (x_ij - mean_j)^2
    double norm = 0, shifted_norm = 0;
  };

  void copy_samples(const Dataset& data);
  void copy_columns(const Matrix& X);
  void centre_target();
  Column measure(Index j) const;
  /// A column where it lies, or read from the source.
  struct Entries {
    std::span<const double> values = {};
    std::span<const Index> rows = {};  // empty: all rows, unless there are no entries
    std::vector<double> own_values = {};
    std::vector<Index> own_rows = {};
  };
  [[nodiscard]] Entries entries_of(Index j) const;
  [[nodiscard]] Entries read(Index j) const;

  Settings settings_;
  loss::AnyLoss loss_;
  std::vector<double> y_, weights_, offset_, target_, target_rest_, target_error_;
  Interval total_weight_;
  std::vector<Column> columns_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<Index> rows_;  // empty: every column has every row
  std::vector<double> values_;
  const FeatureSource* source_ = nullptr;  // columns that are read anew each time, in place of the three above
  std::vector<Index> place_;               // where a row of the data is here, -1 for a row that is left out
};

}  // namespace ellzero::verify
