// The checks of samples.hpp.
#include "fit/samples.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "features/statistics.hpp"

namespace ellzero::front {
namespace {

using features::largest_magnitude;
using features::smallest_magnitude;

void check_length(std::string_view name, std::span<const double> values, Index rows) {
  if (values.size() != static_cast<std::size_t>(rows))
    throw Error(ErrorCode::Data,
                fmt::format("{}: length is {}; expected {}, the number of rows of X", name, values.size(), rows));
}

template <class IsFine>
void check_each(std::string_view name, std::span<const double> values, std::string_view expected, IsFine&& is_fine) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!is_fine(values[i]))
      throw Error(ErrorCode::Data, fmt::format("{}[{}]: value is {}; expected {}", name, i, values[i], expected));
}

void check_magnitude(std::string_view name, std::span<const double> values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  if (largest > largest_magnitude || (largest > 0 && largest < smallest_magnitude))
    throw Error(ErrorCode::Data, fmt::format("{}: the largest magnitude is {:g}; expected 0 or between {:g} and {:g} "
                                             "(rescale it)",
                                             name, largest, smallest_magnitude, largest_magnitude));
}

std::vector<double> pick(std::span<const double> values, std::span<const Index> rows) {
  if (rows.empty()) return {values.begin(), values.end()};
  std::vector<double> picked;
  picked.reserve(rows.size());
  for (const Index i : rows) picked.push_back(values[i]);
  return picked;
}

std::vector<Index> rows_of_positive_weight(std::span<const double> weights) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) rows.push_back(static_cast<Index>(i));
  if (rows.empty()) throw Error(ErrorCode::Data, "weights: all are 0; expected at least one above 0");
  if (rows.size() == weights.size()) rows.clear();
  return rows;
}

}  // namespace

Samples check_samples(const Dataset& data, const TargetRule& rule) {
  const Index rows = std::visit([](const auto& X) { return X.rows; }, data.X);
  if (rows < 1) throw Error(ErrorCode::Data, fmt::format("X: has {} rows; expected at least 1", rows));
  const std::vector<double> ones(data.weights.empty() ? data.y.size() : 0, 1.0);
  const std::vector<double> zeros(data.offset.empty() ? data.y.size() : 0, 0.0);
  const auto weights = data.weights.empty() ? std::span<const double>(ones) : data.weights;
  const auto offset = data.offset.empty() ? std::span<const double>(zeros) : data.offset;
  check_length("y", data.y, rows);
  check_length("weights", weights, rows);
  check_length("offset", offset, rows);
  check_each("y", data.y, rule.expected, rule.is_target);
  check_each("weights", weights, "a finite number, 0 or above", [](double w) { return std::isfinite(w) && w >= 0; });
  check_each("offset", offset, "a finite number", [](double o) { return std::isfinite(o); });
  check_magnitude("y", data.y);
  check_magnitude("weights", weights);
  check_magnitude("offset", offset);
  const auto kept = rows_of_positive_weight(weights);
  Samples samples{pick(data.y, kept), pick(weights, kept), pick(offset, kept), kept};
  const auto [low, high] = std::minmax_element(samples.y.begin(), samples.y.end());
  if (rule.classifies && *low == *high)
    throw Error(ErrorCode::Data, fmt::format("y: every row is of class {}; expected two classes", *low));
  return samples;
}

}  // namespace ellzero::front
