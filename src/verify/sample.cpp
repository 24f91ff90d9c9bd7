// Copying and measuring behind sample.hpp.
#include "verify/sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/settings_table.hpp"
#include "verify/exact_sums.hpp"

namespace ellzero::verify {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

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
}

void check_length(std::string_view name, std::size_t length, Index rows, bool may_be_empty) {
  if (length != static_cast<std::size_t>(rows) && !(may_be_empty && length == 0))
    throw Error(ErrorCode::Data,
                fmt::format("{}: length is {}; expected {}, the number of rows of X", name, length, rows));
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
  const auto [n, p] = std::visit([](const auto& X) { return std::pair{X.rows, X.cols}; }, data.X);
  if (n < 1 || p < 1) throw Error(ErrorCode::Data, fmt::format("X: has {} rows, {} columns; expected 1 or more", n, p));
  check_settings(settings, p);
  check_length("y", data.y.size(), n, false);
  check_length("weights", data.weights.size(), n, true);
  check_length("offset", data.offset.size(), n, true);
  std::vector<Index> place;
  copy_samples(data, place);
  copy_columns(data.X, place);
  always_.assign(static_cast<std::size_t>(p), false);
  for (const Index j : settings.always) always_[j] = true;
  const double total_weight = total(weights_);
  for (Index j = 0; j < p; ++j) measure(j, total_weight);
}

/// place[i]: where row i of the data goes, -1 for a row that is left out.
void Sample::copy_samples(const Dataset& data, std::vector<Index>& place) {
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    const double weight = data.weights.empty() ? 1 : data.weights[i];
    const double offset = data.offset.empty() ? 0 : data.offset[i];
    const bool fine = std::visit([&](const auto& loss) { return loss.is_target(data.y[i]); }, loss_) &&
                      std::isfinite(weight) && weight >= 0 && std::isfinite(offset);
    if (!fine)
      throw Error(ErrorCode::Data, fmt::format("row {}: y is {}, weight {}, offset {}; expected numbers that suit {} "
                                               "loss",
                                               i, data.y[i], weight, offset, settings_.loss));
    place.push_back(weight > 0 ? rows() : -1);
    if (weight == 0) continue;
    y_.push_back(data.y[i]);
    weights_.push_back(weight);
    offset_.push_back(offset);
  }
  if (y_.empty()) throw Error(ErrorCode::Data, "weights: all are 0; expected at least one above 0");
}

void Sample::copy_columns(const Matrix& X, std::span<const Index> place) {
  const auto end_column = [&] { starts_.push_back(values_.size()); };
  std::visit(
      [&]<class M>(const M& matrix) {
        if constexpr (requires { matrix.indptr; }) {
          check_structure(matrix);
          std::vector<std::pair<Index, double>> column;
          for (Index j = 0; j < matrix.cols; ++j) {
            column.clear();
            for (auto e = matrix.indptr[j]; e < matrix.indptr[j + 1]; ++e)
              if (const Index row = place[matrix.indices[e]]; row >= 0)
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
              if (place[i] >= 0)
                values_.push_back(static_cast<double>(matrix.data[i * matrix.row_stride + j * matrix.col_stride]));
            end_column();
          }
        }
      },
      X);
  for (const double value : values_)
    if (!std::isfinite(value)) throw Error(ErrorCode::Data, "X: has an entry that is not finite");
}

void Sample::measure(Index j, double total_weight) {
  const bool centred = settings_.intercept;
  const auto stored = static_cast<Index>(starts_[j + 1] - starts_[j]);
  double low = stored < rows() ? 0 : inf, high = -low;
  core::CompensatedSum sum;
  for_each_entry(j, [&](Index i, double x) {
    low = std::min(low, x);
    high = std::max(high, x);
    add_product(sum, weights_[i], x);
  });
  const double mean = centred ? sum.value() / total_weight : 0;
  core::CompensatedSum squares, raw_squares, weight_here;
  for_each_entry(j, [&](Index i, double x) {
    add_product(squares, weights_[i] * (x - mean), x - mean);
    add_product(raw_squares, weights_[i] * x, x);
    weight_here.add(weights_[i]);
  });
  if (stored < rows()) add_product(squares, std::max(0.0, total_weight - weight_here.value()) * mean, mean);
  const double square_sum = squares.value();
  const bool useless = !(square_sum > 0) || (centred && low == high);
  mean_.push_back(mean);
  constexpr double up = 1 + 1e-6;
  norm_.push_back(std::sqrt(raw_squares.value()) * up);
  centred_norm_.push_back(centred ? std::sqrt(square_sum) * up + 2 * core::unit_roundoff * norm_.back() : norm_.back());
  scale_.push_back(useless ? 0 : settings_.standardize ? 1 / std::sqrt(square_sum) : 1);
}

penalty::Box Sample::box(Index j) const {
  return {bound_of(settings_.lower, j, -inf), bound_of(settings_.upper, j, inf)};
}

penalty::Coordinate Sample::coordinate(Index j, double more_lambda2) const {
  const penalty::Lambdas lambdas{lambda0(), settings_.lambda1, *settings_.lambda2 + more_lambda2};
  if (scale(j) == 0) return penalty::Coordinate(lambdas);
  const auto [lo, hi] = box(j);
  return penalty::Coordinate(lambdas, {lo / scale(j), hi / scale(j)});
}

std::vector<double> Sample::linear(double intercept, std::span<const Index> support,
                                   std::span<const double> slopes) const {
  std::vector<double> u(y_.size(), intercept), lost(y_.size(), 0.0);
  for (std::size_t c = 0; c < support.size(); ++c)
    for_each_entry(support[c], [&](Index i, double x) {
      const double product = slopes[c] * x, next = u[i] + product, added = next - u[i];
      lost[i] += ((u[i] - (next - added)) + (product - added)) + std::fma(slopes[c], x, -product);
      u[i] = next;
    });
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += lost[i];
  return u;
}

std::vector<double> Sample::weighted_column(Index j) const {
  std::vector<double> z(y_.size(), -mean(j));
  for_each_entry(j, [&](Index i, double x) { z[i] = x - mean(j); });
  for (std::size_t i = 0; i < z.size(); ++i) z[i] *= scale(j) * std::sqrt(weights_[i]);
  return z;
}

double Sample::dot(Index j, std::span<const double> v) const {
  if (rows_.empty()) return inner_product(std::span(values_).subspan(starts_[j], v.size()), v);
  core::CompensatedSum sum;
  for_each_entry(j, [&](Index i, double x) { sum.add(x * v[i]); });
  return sum.value();
}

}  // namespace ellzero::verify
