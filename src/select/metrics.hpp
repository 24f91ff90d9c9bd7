// What cross-validation measures on samples that were left out: a mean over them, or the area under the ROC curve.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "loss/contract.hpp"

namespace ellzero::select {

struct Metric {
  std::string_view name;
  bool classes;  ///< for two classes; else for numbers
  bool larger_is_better;
  enum Kind { Square, Absolute, Deviance, Right, Ranking } kind;
};

inline constexpr Metric metrics[] = {{"mse", false, false, Metric::Square},
                                     {"mae", false, false, Metric::Absolute},
                                     {"deviance", true, false, Metric::Deviance},
                                     {"accuracy", true, true, Metric::Right},
                                     {"auc", true, true, Metric::Ranking}};

/// "auto" is the first that suits the loss. Throws Error for a name that does not.
template <loss::Loss L>
const Metric& metric_for(std::string_view name) {
  for (const Metric& metric : metrics)
    if (metric.classes == L::classifies && (name == "auto" || name == metric.name)) return metric;
  throw Error(ErrorCode::Usage, fmt::format("metric: value is {}; expected {} for {} loss", name,
                                            L::classifies ? "deviance, accuracy or auc" : "mse or mae", L::name));
}

/// One sample that was left out.
struct LeftOut {
  double u;  ///< its linear predictor
  double y;
  double weight;
};

/// The value of one sample, whose weighted mean is the score (12.2).
template <loss::Loss L>
double value_of(const Metric& metric, const L& loss, const LeftOut& sample) {
  const double error = sample.u - sample.y;
  switch (metric.kind) {
    case Metric::Square:
      return error * error;
    case Metric::Absolute:
      return std::abs(error);
    case Metric::Deviance:  // a hinge is no likelihood: its mean loss
      return (L::name == "logistic" ? 2 : 1) * loss.value(sample.u, sample.y);
    default:
      return (sample.u > 0) == (sample.y > 0) ? 1 : 0;
  }
}

/// The weighted share of pairs of both classes that u ranks rightly, ties for one half (12.3).
inline double area_under_curve(std::vector<LeftOut> samples) {
  std::sort(samples.begin(), samples.end(), [](const LeftOut& a, const LeftOut& b) { return a.u < b.u; });
  double below = 0, above = 0, right = 0;
  for (std::size_t i = 0; i < samples.size();) {
    double low = 0, high = 0;  // weights of the two classes at this u
    const double u = samples[i].u;
    for (; i < samples.size() && samples[i].u == u; ++i) (samples[i].y > 0 ? high : low) += samples[i].weight;
    right += high * (below + 0.5 * low);  // (12.3)
    below += low;
    above += high;
  }
  return right / (below * above);
}

struct Score {
  double mean = 0;
  double variance = 0;  ///< of the samples' values; NaN where the score is no mean of such
};

template <loss::Loss L>
Score score(const Metric& metric, const L& loss, const std::vector<LeftOut>& samples) {
  if (metric.kind == Metric::Ranking) return {area_under_curve(samples), std::numeric_limits<double>::quiet_NaN()};
  double sum = 0, squares = 0, total = 0;
  for (const LeftOut& sample : samples) {
    const double value = value_of(metric, loss, sample);
    sum += sample.weight * value;
    squares += sample.weight * value * value;
    total += sample.weight;
  }
  const double mean = sum / total;  // (12.2)
  return {mean, std::max(0.0, squares / total - mean * mean)};
}

}  // namespace ellzero::select
