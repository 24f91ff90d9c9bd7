// What path.hpp hands to the page.
#include "report/path.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace ellzero::report {
namespace {

constexpr std::size_t most_features = 40;

struct Slice {
  bool by_k = false;
  std::vector<std::size_t> models;  ///< positions in the path
};

double place_of(const Result& result, bool by_k) {
  return by_k ? static_cast<double>(result.k.value_or(0)) : result.lambda0.value_or(0);
}

/// A grid of several ridges is cut to that of the chosen model; a price of 0 has no place on a logarithmic axis.
Slice slice_of(const Selection& selection) {
  const auto& models = selection.path.models;
  const Result& chosen = models[static_cast<std::size_t>(selection.chosen)];
  Slice slice{chosen.k.has_value(), {}};
  for (std::size_t m = 0; m < models.size(); ++m)
    if (models[m].lambda1 == chosen.lambda1 && models[m].lambda2 == chosen.lambda2 &&
        (slice.by_k || place_of(models[m], false) > 0))
      slice.models.push_back(m);
  return slice;
}

/// Position of a model in the slice; null where it is not there.
Json position(const Slice& slice, Index model) {
  const auto found = std::find(slice.models.begin(), slice.models.end(), static_cast<std::size_t>(model));
  return found == slice.models.end() ? Json(nullptr) : Json(found - slice.models.begin());
}

struct Line {
  Index feature = 0;
  bool chosen = false;  ///< in the model of the report
  double peak = 0;
  std::vector<double> values;
};

/// Standardised coefficients of all features of the slice: those of the model first, then by size.
std::vector<Line> lines_of(const Model& model, const Selection& selection, const Slice& slice, Columns& columns) {
  std::map<Index, Line> found;
  for (std::size_t s = 0; s < slice.models.size(); ++s) {
    const Result& result = selection.path.models[slice.models[s]];
    for (std::size_t c = 0; c < result.support.size(); ++c) {
      Line& line = found[result.support[c]];
      line.feature = result.support[c];
      line.values.resize(slice.models.size());
      line.values[s] = result.coefficients[c] * columns.deviation(line.feature);
      line.chosen = std::binary_search(model.support.begin(), model.support.end(), line.feature);
      line.peak = std::max(line.peak, std::abs(line.values[s]));
    }
  }
  std::vector<Line> lines;
  lines.reserve(found.size());
  for (auto& [feature, line] : found) lines.push_back(std::move(line));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.chosen != b.chosen ? a.chosen : a.peak > b.peak; });
  return lines;
}

std::string score_text(const Selection& selection) {
  if (selection.standard_error.empty())
    return fmt::format("{} of every model; the smallest is the best.", selection.by);
  const bool higher = selection.metric == "accuracy" || selection.metric == "auc";
  return fmt::format("Mean {} over {} folds{}, {} is better. The band is one standard error wide to each side.",
                     selection.metric, selection.fold_count,
                     selection.repeats > 1 ? fmt::format(", {} times", selection.repeats) : "",
                     higher ? "higher" : "lower");
}

/// Whether the path has the problem of the report's model here, with the gap that was left before its proof.
bool is_own(const Model& model, const Result& result) {
  const Settings& settings = model.settings;
  return result.lambda0 == settings.lambda0 && result.k == settings.k && result.lambda1 == settings.lambda1 &&
         result.lambda2 == settings.lambda2;
}

/// The numbers of every model of the slice, one list each.
void add_models(Json& json, const Model& model, const Selection& selection, const Slice& slice) {
  for (const char* key : {"x", "nonzeros", "gap", "certified", "status"}) json[key] = Json::array();
  for (const std::size_t m : slice.models) {
    const Result& result = selection.path.models[m];
    json["x"].push_back(place_of(result, slice.by_k));
    json["nonzeros"].push_back(result.support.size());
    const bool own = is_own(model, result);
    const double gap = own ? std::min(result.relative_gap, model.relative_gap) : result.relative_gap;
    json["gap"].push_back(std::isfinite(gap) ? Json(gap) : Json(nullptr));
    json["certified"].push_back(gap <= model.settings.gap);
    json["status"].push_back(to_string(own ? model.status : result.status));
  }
}

void add_scores(Json& json, const Selection& selection, const Slice& slice) {
  if (selection.score.empty()) return;
  json["score_text"] = score_text(selection);
  json["metric"] = selection.metric;
  json["rule"] = selection.rule;
  json["best"] = position(slice, selection.best);
  for (const std::size_t m : slice.models) {
    json["score"].push_back(selection.score[m]);
    if (!selection.standard_error.empty()) json["error"].push_back(selection.standard_error[m]);
  }
}

/// Where a model stands on the axis of a path that it does not come from.
Json mark_of(const Settings& settings, bool by_k) {
  if (by_k) return settings.k ? Json(*settings.k) : Json(nullptr);
  return settings.lambda0.value_or(0) > 0 ? Json(*settings.lambda0) : Json(nullptr);
}

}  // namespace

Json path_json(const Model& model, const Selection& selection, Columns& columns) {
  const Slice slice = slice_of(selection);
  if (slice.models.empty()) return nullptr;
  Json json = {{"axis", slice.by_k ? "k" : "lambda0"}};
  add_models(json, model, selection, slice);
  const auto lines = lines_of(model, selection, slice, columns);
  const std::size_t shown = std::min(lines.size(), most_features);
  json["left_out"] = lines.size() - shown;
  json["features"] = Json::array();
  for (std::size_t f = 0; f < shown; ++f)
    json["features"].push_back({{"name", model.name(lines[f].feature)}, {"values", lines[f].values}});
  const bool was_chosen = !selection.score.empty();
  json["chosen"] = was_chosen ? position(slice, selection.chosen) : Json(nullptr);
  json["mark"] = was_chosen
                     ? Json(place_of(selection.path.models[static_cast<std::size_t>(selection.chosen)], slice.by_k))
                     : mark_of(model.settings, slice.by_k);
  add_scores(json, selection, slice);
  const std::size_t others = selection.path.models.size() - slice.models.size();
  const Result& first = selection.path.models[slice.models[0]];
  json["text"] = fmt::format("{} models{}{}.", slice.models.size(),
                             was_chosen ? "" : ", computed for this report and not what the model was chosen from",
                             others == 0 ? ""
                                         : fmt::format(", all with lambda1 {} and lambda2 {}; {} others are not drawn",
                                                       first.lambda1, first.lambda2, others));
  return json;
}

}  // namespace ellzero::report
