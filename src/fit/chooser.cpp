// The steps of a choice, and what its criteria see of a model.
#include "fit/chooser.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>

#include "ellzero/predict.hpp"
#include "fit/units.hpp"
#include "loss/all.hpp"
#include "select/choice.hpp"
#include "select/criteria.hpp"
#include "select/cross_validation.hpp"
#include "select/grid.hpp"
#include "select/metrics.hpp"
#include "select/sample_count.hpp"

namespace ellzero::front {
namespace {

/// Whether models with more features than `size` could score better: unless the row of the best model has ended by
/// itself before, or the best has at most half as many, so that as many again were no better.
bool asks_for_more(const Selection& found, Index size) {
  const auto& models = found.path.models;
  if (models.empty()) return false;
  const auto features = [&](std::size_t m) { return std::ssize(models[m].support); };
  const auto best = static_cast<std::size_t>(found.best);
  std::size_t last = best;
  while (last + 1 < models.size() && models[last + 1].lambda1 == models[best].lambda1 &&
         models[last + 1].lambda2 == models[best].lambda2)
    ++last;
  return features(last) > size && 2 * features(best) > size;
}

/// How the scores of a selection are read.
struct Reading {
  double sign;     ///< -1 where larger is better
  Index features;  ///< that there are to choose from
  double sample_count;
  int folds;
};

/// For each model its best member, and of all models one by each rule.
void pick(const Reading& reading, std::span<const double> shares, std::span<const select::FoldScores> scores,
          Selection& result) {
  const std::size_t count = result.path.models.size();
  if (count == 0) return;
  const auto curve = select::curve(scores, count * shares.size(), reading.folds);
  std::vector<std::size_t> member(count);
  std::vector<select::Candidate> models(count);
  result.score.assign(count, 0);
  result.standard_error = result.relax = result.score;
  for (std::size_t m = 0; m < count; ++m) {
    constexpr double matters = 1e-9;  // a refit may be the model itself, but for rounding
    std::size_t& best = member[m] = m * shares.size();
    for (std::size_t c = best + 1; c < (m + 1) * shares.size(); ++c)
      if (reading.sign * curve.mean[c] < reading.sign * curve.mean[best] - matters * std::abs(curve.mean[best]))
        best = c;
    result.score[m] = curve.mean[best];
    result.standard_error[m] = curve.standard_error[best];
    result.relax[m] = shares[best - m * shares.size()];
    models[m] = {reading.sign * result.score[m], result.standard_error[m], std::ssize(result.path.models[m].support),
                 result.path.models[m].lambda0.value_or(0)};
  }
  const auto best = select::best_of(models);
  const auto paired = select::paired_errors(scores, curve.mean.size(), member[best], reading.folds);
  for (std::size_t m = 0; m < count; ++m) models[m].paired_error = paired[member[m]];
  result.best = static_cast<Index>(best);
  result.one_error = static_cast<Index>(select::within_one_error(models, best));
  result.as_good = static_cast<Index>(select::as_good(
      models, best, reading.features, select::sample_error(scores, member[best], reading.sample_count)));
  result.chosen = result.rule == "min" ? result.best : result.rule == "1se" ? result.one_error : result.as_good;
}

/// By a criterion: the least.
void pick(double relax, Selection& result) {
  std::vector<select::Candidate> models;
  for (std::size_t m = 0; m < result.path.models.size(); ++m) {
    const Result& model = result.path.models[m];
    models.push_back({result.score[m], 0, std::ssize(model.support), model.lambda0.value_or(0)});
  }
  if (models.empty()) return;
  result.relax.assign(models.size(), relax);
  result.best = result.one_error = result.as_good = result.chosen = static_cast<Index>(select::best_of(models));
}

/// The shares of a refit that are tried: a loss without a best size of coefficients has none.
template <class L>
std::vector<double> shares_of(const Settings& settings) {
  if (settings.relax) return {*settings.relax};
  if (L::quadratic && !settings.k) return {0, 0.5, 1};
  return {0};
}

/// The misfit and the size of a model, as criteria see them.
template <class L>
select::FitSummary summary(const Question<L>& question, const Result& model, const std::vector<double>& u) {
  const auto& problem = question.problem();
  const double n = select::sample_count(problem.weights);
  const double to_n = n / std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
  select::FitSummary fit{0, n, 0, model.p, std::ssize(model.support), problem.intercept};
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double y = problem.given.y[i], target = y - problem.given.offset[i];
    fit.loss += to_n * problem.weights[i] * problem.loss.value(u[i], y);
    fit.target_size += to_n * problem.weights[i] * target * target;
  }
  return fit;
}

}  // namespace

template <class L>
Selection Chooser<L>::run() {
  const Settings rows = with_rows();
  if (rows.max_nonzeros || rows.k || !rows.lambda0_grid.empty()) return among(rows, walk_);
  const auto& problem = question_.problem();
  const Index most = select::sensible_nonzeros(problem.weights, problem.features.cols());
  Selection best;
  for (Index size = std::min<Index>(20, most);; size = 4 * size > most ? most : 2 * size) {
    auto settings = rows;
    settings.max_nonzeros = size;
    std::unique_ptr<Walk<L>> walk;
    auto found = among(settings, walk);
    const bool cut = is_cut(found.status);
    if (cut && !best.path.models.empty()) best.status = found.status;  // what was finished tells more
    else {
      best = std::move(found);
      walk_ = std::move(walk);
    }
    if (cut || size == most || !asks_for_more(best, size)) return best;
  }
}

template <class L>
Settings Chooser<L>::with_rows() const {
  Settings result = settings_;
  result.relax.reset();  // the models of a path are solutions; those that a rule names are relaxed
  if (result.select != "cv" || result.k || result.lambda2 || !result.lambda2_grid.empty()) return result;
  const auto& features = question_.problem().features;
  // The largest curvature of the loss along a column, in the mean.
  const double unit = squared_norms(features) / (static_cast<double>(features.cols()) * question_.problem().loss.mu());
  result.lambda2_grid = {unit, 0.1 * unit};
  // Coefficients that separate classes have no best size without any shrinkage.
  if (features.rows() > features.cols()) result.lambda2_grid.push_back(L::quadratic ? 0 : 0.01 * unit);
  return result;
}

template <class L>
Selection Chooser<L>::among(const Settings& settings, std::unique_ptr<Walk<L>>& walk) {
  Selection result;
  result.by = result.metric = settings.select;
  result.rule = "min";
  const auto take_path = [&] {
    walk = std::make_unique<Walk<L>>(question_, settings, stop_);
    result.path = walk->path();
    result.status = result.path.status;
  };
  if (settings.select != "cv") {
    take_path();
    result.score = criteria(result.path.models);
    pick(settings_.relax.value_or(0), result);
  } else {
    const select::Resampling<L> samples{
        .whole = question_.problem(),
        .columns = question_.columns(),
        .names = question_.kept(),
        .rows = rows_,
        .on = [&](std::span<const Index> rows, const auto& work) { work(Question<L>(question_, rows).problem()); }};
    const select::Metric& metric = select::metric_for<L>(settings.metric);
    result.metric = metric.name;
    result.rule = settings.rule;
    select::check_folds(samples, metric, settings);
    take_path();
    cross_validate(samples, settings, metric, result);
  }
  for (const Index m : std::set<Index>{result.best, result.one_error, result.as_good})
    if (m < std::ssize(result.path.models))
      relax(question_.problem(), settings, result.relax[m], stop_, result.path.models[m]);
  return result;
}

template <class L>
void Chooser<L>::cross_validate(const select::Resampling<L>& samples, const Settings& settings,
                                const select::Metric& metric, Selection& result) {
  const auto shares = shares_of<L>(settings_);
  const auto& problem = question_.problem();
  const Reading reading{metric.larger_is_better ? -1.0 : 1.0, problem.features.cols(),
                        select::sample_count(problem.weights), settings.folds};
  const auto take = [&](const select::CrossValidated& found) { pick(reading, shares, found.scores, result); };
  const auto settled = [&](const select::CrossValidated& found) {
    const Index before = result.chosen;
    take(found);
    return std::ssize(found.folds) > 1 && result.chosen == before;
  };
  auto found = select::cross_validate(samples, result.path.models, shares, metric, settings, chosen_threads(settings),
                                      settled, stop_);
  take(found);
  result.repeats = std::ssize(found.folds);
  result.folds = std::move(found.folds);
  if (!is_cut(result.status) && !found.complete) result.status = stop_.reason().value_or(Status::TimeLimit);
}

template <class L>
std::vector<double> Chooser<L>::criteria(const std::vector<Result>& models) const {
  std::vector<double> scores;
  for (const Result& model : models) {
    const Matrix X = &question_.columns();
    const auto u = predict(X, question_.problem().given.offset, model.intercept, model.support, model.coefficients);
    scores.push_back(select::criterion<L>(settings_.select, summary(question_, model, u)));
  }
  return scores;
}

#define INSTANTIATE(L) template class Chooser<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
