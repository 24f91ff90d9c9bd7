// What fit.hpp hands to the page.
#include "report/fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "ellzero/predict.hpp"
#include "report/diagnostics.hpp"

namespace ellzero::report {
namespace {

constexpr std::size_t most_points = 1500;
constexpr std::size_t most_corners = 400;  // of the ROC curve
constexpr int bins = 10;

struct Samples {
  std::vector<double> y, u;  ///< observed and predicted, of positive weight
};

Samples samples_of(const Model& model, const Dataset& data) {
  const auto u = predict(data.X, data.offset, model.intercept, model.support, model.coefficients);
  Samples samples;
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (!data.weights.empty() && data.weights[i] == 0) continue;
    samples.y.push_back(data.y[i]);
    samples.u.push_back(u[i]);
  }
  return samples;
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json regression_json(const Samples& samples) {
  const auto& [y, u] = samples;
  const std::size_t n = y.size();
  std::vector<double> residual(n);
  for (std::size_t i = 0; i < n; ++i) residual[i] = y[i] - u[i];
  const double squares = std::inner_product(residual.begin(), residual.end(), residual.begin(), 0.0);
  const double rms = std::sqrt(squares / static_cast<double>(n));
  Json json = {{"kind", "regression"},
               {"r_squared", finite_or_null(r_squared(y, u))},
               {"rms", finite_or_null(rms)},
               {"text", n > most_points ? fmt::format(" {} of {} samples are drawn.", most_points, n) : ""}};
  for (const char* key : {"fitted", "residual", "quantile", "ordered"}) json[key] = Json::array();
  for (const std::size_t i : spread_out(n, most_points)) {
    json["fitted"].push_back(u[i]);
    json["residual"].push_back(residual[i]);
  }
  std::sort(residual.begin(), residual.end());
  const double mean = std::accumulate(residual.begin(), residual.end(), 0.0) / static_cast<double>(n);
  const double deviation = std::sqrt(std::max(squares / static_cast<double>(n) - mean * mean, 0.0));
  for (const std::size_t i : spread_out(n, most_points)) {
    json["quantile"].push_back(normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(n)));
    json["ordered"].push_back(deviation > 0 ? (residual[i] - mean) / deviation : 0);
  }
  return json;
}

Json classes_json(const Model& model, const Samples& samples) {
  const auto& [y, u] = samples;
  const double upper = *std::max_element(y.begin(), y.end());
  std::vector<char> positive(y.size());
  std::vector<double> probability(y.size());
  Index right = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    positive[i] = y[i] == upper ? 1 : 0;
    probability[i] = 1 / (1 + std::exp(-u[i]));
    right += (u[i] > 0) == (positive[i] != 0) ? 1 : 0;
  }
  const Roc curve = roc_curve(u, positive);
  Json json = {{"kind", "classes"},
               {"classes", model.classes},
               {"auc", finite_or_null(area_under(curve))},
               {"accuracy", static_cast<double>(right) / static_cast<double>(y.size())},
               {"roc", Json::array()}};
  for (const std::size_t k : spread_out(curve.size(), most_corners))
    json["roc"].push_back({curve[k].first, curve[k].second});
  if (model.settings.loss != "logistic") return json;
  for (const CalibrationBin& bin : calibration(probability, positive, bins))
    json["calibration"].push_back({{"predicted", bin.predicted}, {"observed", bin.observed}, {"count", bin.count}});
  return json;
}

}  // namespace

Json fit_json(const Model& model, const Dataset& data) {
  const Samples samples = samples_of(model, data);
  Json json = model.classes.empty() ? regression_json(samples) : classes_json(model, samples);
  json["intro"] = fmt::format(
      "On the {} samples{} that the model was fitted to: new samples will be predicted less well. "
      "The error of cross-validation, where there is one, is an honest guess of how much.",
      samples.y.size(), data.weights.empty() ? "" : " of positive weight, each counted once,");
  return json;
}

}  // namespace ellzero::report
