// The checks of samples.hpp.
#include "fit/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "core/compensated_sum.hpp"
#include "core/exact_sum.hpp"
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

std::vector<double> picked_from(std::span<const double> values, std::span<const Index> rows) {
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

/// y_i - o_i - c, rounded once: c is 0, or the value of one sample near the mean and the mean distance from it. (10.8)
class Difference {
 public:
  Difference(std::span<const double> y, std::span<const double> o, std::span<const double> w, bool centred)
      : y_(y), o_(o) {
    if (!centred) return;
    const double total = std::accumulate(w.begin(), w.end(), 0.0);
    const auto mean = [&] {
      core::CompensatedSum sum;
      for (std::size_t i = 0; i < w.size(); ++i) sum.add(w[i] * ((y[i] - y_near_) - (o[i] - o_near_)));
      return sum.value() / total;
    };
    const double about = mean();
    std::size_t near = 0;
    for (std::size_t i = 1; i < w.size(); ++i)
      if (std::abs(y[i] - o[i] - about) < std::abs(y[near] - o[near] - about)) near = i;
    y_near_ = y[near];
    o_near_ = o[near];
    mean_ = mean();
  }

  double operator[](std::size_t i) const {
    const core::Pair of_y = core::two_sum(y_[i], -y_near_), of_o = core::two_sum(-o_[i], o_near_);
    const core::Pair both = core::two_sum(of_y.high, of_o.high), moved = core::two_sum(both.high, -mean_);
    const double lost = std::abs(of_y.low) + std::abs(of_o.low) + std::abs(both.low) + std::abs(moved.low);
    constexpr double little = 0x1p-20;  // then roundings of what was lost do not count
    if (lost <= little * std::abs(moved.high)) return moved.high + (moved.low + both.low + of_y.low + of_o.low);
    core::ExactSum sum;
    for (const double term : {y_[i], -o_[i], -y_near_, o_near_, -mean_}) sum.add(term);
    return sum.value();
  }

  /// c, rounded.
  [[nodiscard]] double centre() const {
    core::ExactSum sum;
    for (const double term : {y_near_, -o_near_, mean_}) sum.add(term);
    return sum.value();
  }

 private:
  std::span<const double> y_, o_;
  double y_near_ = 0, o_near_ = 0, mean_ = 0;
};

}  // namespace

Samples check_samples(const Dataset& data, const TargetRule& rule) {
  const Index rows = shape(data.X).rows;
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
  Samples samples{{data.y.begin(), data.y.end()}, {weights.begin(), weights.end()}, {offset.begin(), offset.end()}, {}};
  if (!kept.empty()) samples = some_of(samples, kept);
  samples.kept = kept;
  const auto [low, high] = std::minmax_element(samples.y.begin(), samples.y.end());
  if (rule.classifies && *low == *high)
    throw Error(ErrorCode::Data, fmt::format("y: every row is of class {}; expected two classes", *low));
  return samples;
}

Samples some_of(const Samples& samples, std::span<const Index> rows) {
  return {picked_from(samples.y, rows), picked_from(samples.weights, rows), picked_from(samples.offset, rows), {}};
}

NearZero move_near_zero(const Samples& samples, bool quadratic, bool intercept) {
  NearZero result{samples.y, samples.offset};
  if (!quadratic && !intercept) return result;
  const std::vector<double> none(quadratic ? 0 : samples.y.size(), 0.0);
  const Difference difference(quadratic ? samples.y : none, samples.offset, samples.weights, intercept);
  const double sign = quadratic ? 1 : -1;
  auto& moved = quadratic ? result.y : result.offset;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = sign * difference[i];
  if (quadratic) std::fill(result.offset.begin(), result.offset.end(), 0.0);
  result.shift = difference.centre();
  return result;
}

}  // namespace ellzero::front
