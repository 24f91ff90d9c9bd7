// Copying and measuring behind sample.hpp.
#include "verify/sample.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/settings_table.hpp"
#include "verify/exact_sums.hpp"

namespace ellzero::verify {
namespace {

loss::AnyLoss loss_of(const Settings& settings) {
  if (settings.loss == loss::Logistic::name) return loss::Logistic::from(settings);
  if (settings.loss == loss::SmoothedHinge::name) return loss::SmoothedHinge::from(settings);
  return loss::Squared::from(settings);
}

void check_settings(const Settings& settings, Index p) {
  validate(settings);
  if (!settings.lambda2) throw Error(ErrorCode::Usage, "lambda2: is not set; expected the value of the claim's result");
  if (settings.lambda0.has_value() == settings.k.has_value())
    throw Error(ErrorCode::Usage, "lambda0, k: both or none are set; expected one of them");
  for (const auto* bounds : {&settings.lower, &settings.upper})
    if (bounds->size() > 1 && bounds->size() != static_cast<std::size_t>(p))
      throw Error(
          ErrorCode::Usage,
          fmt::format("lower, upper: length is {}; expected 1 or {}, the number of columns of X", bounds->size(), p));
  for (const Index j : settings.always)
    if (j >= p) throw Error(ErrorCode::Usage, fmt::format("always: feature {}; expected 0 to {}", j, p - 1));
  const auto always = static_cast<Index>(std::set<Index>(settings.always.begin(), settings.always.end()).size());
  if (settings.k && (*settings.k > p || *settings.k < always))
    throw Error(ErrorCode::Usage,
                fmt::format("k: value is {}; expected {} to {}, the number of always-in features to the number of "
                            "columns of X",
                            *settings.k, always, p));
}

void check_length(std::string_view name, std::size_t length, Index rows, bool may_be_empty) {
  if (length != static_cast<std::size_t>(rows) && !(may_be_empty && length == 0))
    throw Error(ErrorCode::Data,
                fmt::format("{}: length is {}; expected {}, the number of rows of X", name, length, rows));
}

/// Squares and products of numbers within these magnitudes neither overflow nor vanish.
void check_magnitude(std::string_view name, double largest) {
  constexpr double most = 1e60, least = 1e-60;
  if (!(largest <= most) || (largest > 0 && largest < least))
    throw Error(ErrorCode::Data, fmt::format("{}: the largest magnitude is {:g}; expected 0 or between {:g} and {:g}",
                                             name, largest, least, most));
}

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Near the weighted mean: differences from one value, then from the first guess, lose no digits to what they share.
double middle_of(std::span<const double> values, std::span<const double> weights) {
  double middle = values[0];
  for (int round = 0; round < 2; ++round) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += weights[i] * (values[i] - middle);
      weight += weights[i];
    }
    middle += sum / weight;
  }
  return finite(middle);
}

double bound_of(const std::vector<double>& bounds, Index j, double none) {
  return bounds.empty() ? none : bounds[bounds.size() == 1 ? 0 : j];
}

template <class T, class I>
void check_structure(const SparseMatrix<T, I>& X) {
  const auto refuse = [](std::string_view what) { throw Error(ErrorCode::Data, fmt::format("X: {}", what)); };
  if (X.indptr.size() != static_cast<std::size_t>(X.cols) + 1 || X.indices.size() != X.values.size())
    refuse("sizes of indptr, indices and values do not fit together");
  if (X.indptr[0] != 0 || X.indptr[X.cols] != static_cast<I>(X.values.size())) refuse("indptr does not span values");
  for (Index j = 0; j < X.cols; ++j)
    if (X.indptr[j] > X.indptr[j + 1]) refuse("indptr falls; expected it to rise");
  for (const I row : X.indices)
    if (row < 0 || row >= X.rows) refuse("a row index is out of range");
}

}  // namespace

Sample::Sample(const Dataset& data, const Settings& settings) : settings_(settings), loss_(loss_of(settings)) {
  const auto [n, p] = shape(data.X);
  if (n < 1 || p < 1) throw Error(ErrorCode::Data, fmt::format("X: has {} rows, {} columns; expected 1 or more", n, p));
  check_settings(settings, p);
  check_length("y", data.y.size(), n, false);
  check_length("weights", data.weights.size(), n, true);
  check_length("offset", data.offset.size(), n, true);
  copy_samples(data);
  copy_columns(data.X);
  total_weight_ = total(weights_);
  centre_target();
  for (Index j = 0; j < p; ++j) columns_.push_back(measure(j));
  for (const Index j : settings.always) columns_[j].always = true;
}

void Sample::copy_samples(const Dataset& data) {
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    const double weight = data.weights.empty() ? 1 : data.weights[i];
    const double offset = data.offset.empty() ? 0 : data.offset[i];
    const bool fine = std::visit([&](const auto& loss) { return loss.is_target(data.y[i]); }, loss_) &&
                      std::isfinite(weight) && weight >= 0 && std::isfinite(offset);
    if (!fine)
      throw Error(ErrorCode::Data, fmt::format("row {}: y is {}, weight {}, offset {}; expected numbers that suit {} "
                                               "loss",
                                               i, data.y[i], weight, offset, settings_.loss));
    place_.push_back(weight > 0 ? rows() : -1);
    if (weight == 0) continue;
    y_.push_back(data.y[i]);
    weights_.push_back(weight);
    offset_.push_back(offset);
  }
  if (y_.empty()) throw Error(ErrorCode::Data, "weights: all are 0; expected at least one above 0");
  check_magnitude("y", largest_of(data.y));
  check_magnitude("weights", largest_of(data.weights));
  check_magnitude("offset", largest_of(data.offset));
  const auto [low, high] = std::minmax_element(y_.begin(), y_.end());
  if (*low == *high && std::visit([](const auto& loss) { return loss.classifies; }, loss_))
    throw Error(ErrorCode::Data, fmt::format("y: every row is of class {}; expected two classes", *low));
}

void Sample::copy_columns(const Matrix& X) {
  const auto end_column = [&] { starts_.push_back(values_.size()); };
  std::visit(
      [&]<class M>(const M& matrix) {
        if constexpr (std::is_pointer_v<M>) {
          source_ = matrix;
        } else if constexpr (requires { matrix.indptr; }) {
          check_structure(matrix);
          std::vector<std::pair<Index, double>> column;
          for (Index j = 0; j < matrix.cols; ++j) {
            column.clear();
            for (auto e = matrix.indptr[j]; e < matrix.indptr[j + 1]; ++e)
              if (const Index row = place_[matrix.indices[e]]; row >= 0)
                column.emplace_back(row, static_cast<double>(matrix.values[e]));
            std::stable_sort(column.begin(), column.end(), [](auto& a, auto& b) { return a.first < b.first; });
            for (const auto& [row, value] : column) {
              if (values_.size() > starts_.back() && rows_.back() == row) values_.back() += value;
              else {
                rows_.push_back(row);
                values_.push_back(value);
              }
            }
            end_column();
          }
          if (rows_.empty()) rows_.push_back(0);  // no entry at all: never read, but not dense
        } else {
          values_.reserve(static_cast<std::size_t>(rows()) * static_cast<std::size_t>(matrix.cols));
          for (Index j = 0; j < matrix.cols; ++j) {
            for (Index i = 0; i < matrix.rows; ++i)
              if (place_[i] >= 0)
                values_.push_back(static_cast<double>(matrix.data[i * matrix.row_stride + j * matrix.col_stride]));
            end_column();
          }
        }
      },
      X);
  for (const double value : values_)
    if (!std::isfinite(value)) throw Error(ErrorCode::Data, "X: has an entry that is not finite");
}

Sample::Entries Sample::entries_of(Index j) const {
  if (source_ != nullptr) return read(j);
  const std::size_t first = starts_[j], count = starts_[j + 1] - first;
  return {std::span(values_).subspan(first, count),
          rows_.empty() ? std::span<const Index>() : std::span(rows_).subspan(first, count)};
}

/// The rows that are kept of a column of the source, checked.
Sample::Entries Sample::read(Index j) const {
  const Index stored = source_->stored(j), all = source_->rows();
  const bool sparse = source_->is_sparse();
  if (stored < 0 || stored > all || (!sparse && stored != all))
    throw Error(ErrorCode::Data, fmt::format("X: column {} has {} entries; expected 0 to {}", j, stored, all));
  std::vector<std::int32_t> rows(static_cast<std::size_t>(sparse ? stored : 0));
  std::vector<double> values(static_cast<std::size_t>(stored));
  source_->read(j, sparse ? rows.data() : nullptr, values.data());
  Entries entries;
  Index last = -1;
  for (std::size_t e = 0; e < values.size(); ++e) {
    const Index row = sparse ? Index{rows[e]} : static_cast<Index>(e);
    if (row <= last || row >= all || !std::isfinite(values[e]))
      throw Error(ErrorCode::Data, fmt::format("X: column {} has entry {} at row {} after row {}; expected finite "
                                               "numbers at rows that rise, up to {}",
                                               j, values[e], row, last, all - 1));
    last = row;
    if (place_[row] < 0) continue;
    entries.own_values.push_back(values[e]);
    if (sparse) entries.own_rows.push_back(place_[row]);
  }
  entries.values = entries.own_values;  // moving a vector leaves its entries where they are
  entries.rows = entries.own_rows;
  return entries;
}

/// With an intercept any constant may be taken off the targets. All sums here are exact but one, of parts that are a
/// rounding's size already.
void Sample::centre_target() {
  double middle = 0;
  if (settings_.intercept) {
    std::vector<double> targets;
    for (std::size_t i = 0; i < y_.size(); ++i) targets.push_back(y_[i] - offset_[i]);
    middle = middle_of(targets, weights_);
  }
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const TwoPart less_offset = two_sum(y_[i], -offset_[i]), centred = two_sum(less_offset.value, -middle);
    const double small = centred.rest + less_offset.rest;
    const TwoPart target = two_sum(centred.value, small);
    target_.push_back(target.value);
    target_rest_.push_back(target.rest);
    target_error_.push_back(up(2 * core::unit_roundoff * std::abs(small)));
  }
}

/// Differences from a shift near the mean keep the digits that squares would lose.
Sample::Column Sample::measure(Index j) const {
  const Entries entries = entries_of(j);
  const bool complete = entries.values.size() == y_.size();
  double low = complete ? inf : 0, high = -low;
  for_each_entry(j, [&](Index /*i*/, double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  });
  check_magnitude(fmt::format("X: column {}", j), std::max(std::abs(low), std::abs(high)));
  Column column;
  column.constant = settings_.intercept ? low == high : low == 0 && high == 0;
  if (settings_.intercept && complete) column.shift = std::clamp(middle_of(entries.values, weights_), low, high);
  IntervalSum squares, shifted_squares, shifted;
  for_each_entry(j, [&](Index i, double x) {
    const TwoPart parts = two_sum(x, -column.shift);
    const Interval distance = Interval(parts.value) + Interval(parts.rest), w = weights_[i];
    squares.add(w * square(x));
    shifted.add(w * distance);
    shifted_squares.add(w * square(distance));
  });
  column.norm = root(squares.value()).hi;
  column.shifted_norm = root(shifted_squares.value()).hi;
  column.spread = shifted_squares.value();
  if (settings_.intercept) {
    column.shift_rest = shifted.value() / total_weight_;
    column.spread = column.spread - square(shifted.value()) / total_weight_;
  }
  if (!column.constant) column.scale = settings_.standardize ? Interval(1) / root(column.spread) : Interval(1);
  return column;
}

double Sample::lower(Index j) const { return bound_of(settings_.lower, j, -inf); }
double Sample::upper(Index j) const { return bound_of(settings_.upper, j, inf); }

std::vector<double> Sample::weighted_column(Index j) const {
  const double rest = 0.5 * (shift_rest(j).lo + shift_rest(j).hi), factor = 0.5 * (scale(j).lo + scale(j).hi);
  std::vector<double> z(y_.size(), -shift(j) - rest);
  for_each_entry(j, [&](Index i, double x) { z[i] = (x - shift(j)) - rest; });
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = finite(z[i] * factor * std::sqrt(weights_[i]));
  return z;
}

double Sample::weighted_column_error(Index j) const {
  constexpr double u = core::unit_roundoff;
  const Column& column = columns_[j];
  const double largest = magnitude(column.shift_rest).hi, width = column.shift_rest.hi - column.shift_rest.lo;
  const double in_entries = 3 * u * column.shifted_norm + std::sqrt(total_weight_.hi) * (width + 3 * u * largest);
  const double norm = settings_.standardize ? 1 / column.scale.hi : std::sqrt(std::max(0.0, column.spread.lo));
  return (in_entries / norm + (column.scale.hi - column.scale.lo) / column.scale.lo + 8 * u) * (1 + 1e-6);
}

Interval Sample::dot(Index j, std::span<const double> v, double length) const {
  const double size = up(norm(j) * length);
  const Entries entries = entries_of(j);
  if (entries.rows.empty() && entries.values.size() == v.size()) return inner_product(entries.values, v, size);
  ProductSum<1> sum;
  for (std::size_t e = 0; e < entries.values.size(); ++e) sum.add(0, entries.values[e], v[entries.rows[e]]);
  return sum.value(static_cast<double>(entries.values.size()), size);
}

}  // namespace ellzero::verify
