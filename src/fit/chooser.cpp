// The steps of a choice, and what its criteria see of a model.
#include "fit/chooser.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "ellzero/predict.hpp"
#include "loss/all.hpp"
#include "select/choice.hpp"
#include "select/criteria.hpp"
#include "select/cross_validation.hpp"
#include "select/grid.hpp"
#include "select/metrics.hpp"
#include "select/sample_count.hpp"

namespace ellzero::front {
namespace {

/// Whether models with more features than `size` could score better: unless the path has ended by itself before, or
/// the best has at most half as many and the last is worse by more than a standard error.
bool asks_for_more(const Selection& found, Index size) {
  const auto& models = found.path.models;
  const auto features = [&](std::size_t m) { return std::ssize(models[m].support); };
  if (models.empty() || features(models.size() - 1) <= size) return false;
  const auto best = static_cast<std::size_t>(found.best);
  const double error = found.standard_error.empty() ? 0 : found.standard_error[best];
  return 2 * features(best) > size || !(std::abs(found.score.back() - found.score[best]) > error);
}

void pick(Selection& result) {
  if (result.path.models.empty()) return;
  const bool larger_is_better = result.metric == "accuracy" || result.metric == "auc";
  std::vector<select::Candidate> models;
  for (std::size_t m = 0; m < result.path.models.size(); ++m) {
    const Result& model = result.path.models[m];
    models.push_back({larger_is_better ? -result.score[m] : result.score[m],
                      result.standard_error.empty() ? 0 : result.standard_error[m], std::ssize(model.support),
                      model.lambda0.value_or(0)});
  }
  const auto best = select::best_of(models);
  result.best = static_cast<Index>(best);
  result.chosen = result.rule == "1se" ? static_cast<Index>(select::within_one_error(models, best)) : result.best;
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
  if (settings_.max_nonzeros || settings_.k || !settings_.lambda0_grid.empty()) return among(settings_, walk_);
  const auto& problem = question_.problem();
  const Index most = select::sensible_nonzeros(problem.weights, problem.features.cols());
  Selection best;
  for (Index size = std::min<Index>(20, most);; size = 4 * size > most ? most : 2 * size) {
    auto settings = settings_;
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
    cross_validate(samples, settings, result);
  }
  pick(result);
  return result;
}

template <class L>
void Chooser<L>::cross_validate(const select::Resampling<L>& samples, const Settings& settings, Selection& result) {
  auto found = select::cross_validate(samples, result.path.models, select::metric_for<L>(settings.metric), settings,
                                      chosen_threads(settings), stop_);
  result.score = std::move(found.curve.mean);
  result.standard_error = std::move(found.curve.standard_error);
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
