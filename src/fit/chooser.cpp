// The steps of a choice, and what its criteria see of a model.
#include "fit/chooser.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "ellzero/prove_chosen.hpp"
#include "fit/criterion.hpp"
#include "fit/units.hpp"
#include "loss/all.hpp"
#include "select/choice.hpp"
#include "select/cross_validation.hpp"
#include "select/folds.hpp"
#include "select/grid.hpp"
#include "select/metrics.hpp"
#include "select/refit.hpp"
#include "select/sample_count.hpp"

namespace ellzero::front {
namespace {

/// Whether models with more features than `size` could be chosen: unless the row of the chosen model has ended by
/// itself before, or it has at most two thirds as many, so that half as many again were no better.
bool asks_for_more(const Selection& found, Index size) {
  const auto& models = found.path.models;
  if (models.empty()) return false;
  const auto features = [&](std::size_t m) { return std::ssize(models[m].support); };
  const auto chosen = static_cast<std::size_t>(found.chosen);
  std::size_t last = chosen;
  while (last + 1 < models.size() && models[last + 1].lambda1 == models[chosen].lambda1 &&
         models[last + 1].lambda2 == models[chosen].lambda2)
    ++last;
  return features(last) > size && 3 * features(chosen) > 2 * size;
}

/// How the scores of a selection are read.
struct Reading {
  double sign;  ///< -1 where larger is better
  double sample_count;
  int folds;
  std::span<const double> shares;
  std::span<const double> evidence;  ///< of the refit of each model, on all samples; may be empty
  bool wide;                         ///< more features than samples
};

/// For each model its best member, and of all models one by each rule.
void pick(const Reading& reading, std::span<const select::FoldScores> scores, Selection& result) {
  const std::size_t count = result.path.models.size(), shares = reading.shares.size();
  if (count == 0) return;
  const auto curve = select::curve(scores, count * shares, reading.folds);
  std::vector<std::size_t> member(count);
  std::vector<select::Candidate> models(count);
  result.score.assign(count, 0);
  result.standard_error = result.relax = result.score;
  const auto take = [&](std::size_t m, std::size_t c) {
    member[m] = c;
    result.score[m] = curve.mean[c];
    result.standard_error[m] = curve.standard_error[c];
    result.relax[m] = reading.shares[c - m * shares];
  };
  for (std::size_t m = 0; m < count; ++m) {
    constexpr double matters = 1e-9;  // a refit may be the model itself, but for rounding
    std::size_t best = m * shares;
    for (std::size_t c = best + 1; c < (m + 1) * shares; ++c)
      if (reading.sign * curve.mean[c] < reading.sign * curve.mean[best] - matters * std::abs(curve.mean[best]))
        best = c;
    take(m, best);
    models[m] = {reading.sign * result.score[m], result.standard_error[m], std::ssize(result.path.models[m].support),
                 result.path.models[m].lambda0.value_or(0)};
  }
  const auto best = select::best_of(models);
  const auto paired = select::paired_errors(scores, curve.mean.size(), member[best], reading.folds);
  for (std::size_t m = 0; m < count; ++m) models[m].paired_error = paired[member[m]];
  const auto one_error = select::within_one_error(models, best);
  auto as_good = select::as_good(models, best, select::sample_error(scores, member[best], reading.sample_count));
  if (!reading.evidence.empty()) {
    as_good = select::with_evidence(models, reading.evidence, as_good);
    const bool may_change = as_good != best && as_good != one_error;
    if (reading.wide && may_change && select::is_evident(reading.evidence, as_good))
      take(as_good, as_good * shares + shares - 1);  // folds shrink what they find by chance
  }
  result.best = static_cast<Index>(best);
  result.one_error = static_cast<Index>(one_error);
  result.as_good = static_cast<Index>(as_good);
  result.chosen = result.rule == "min" ? result.best : result.rule == "1se" ? result.one_error : result.as_good;
}

/// The shares of a refit that are tried: a loss without a best size of coefficients has none.
template <class L>
std::vector<double> shares_of(const Settings& settings) {
  if (settings.relax) return {*settings.relax};
  if (L::quadratic && !settings.k) return {0, 0.25, 0.5, 0.75, 1};
  return {0};
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
  const bool wide = features.cols() >= features.rows();
  if (L::quadratic) result.lambda2_grid = wide ? std::vector{3 * unit, 0.1 * unit} : std::vector{0.3 * unit, 0.0};
  else if (wide) result.lambda2_grid = {10 * unit, unit, 0.1 * unit};
  else result.lambda2_grid = {unit, 0.1 * unit, 0.01 * unit};  // classes may be separated without any
  return result;
}

template <class L>
Selection Chooser<L>::among(const Settings& settings, std::unique_ptr<Walk<L>>& walk) {
  Selection result;
  if (settings.select != "cv") {
    walk = std::make_unique<Walk<L>>(question_, settings, stop_);
    among_sizes_between(settings, *walk);
    result.path = walk->path();
    by_criterion(result);
  } else {
    const select::Resampling<L> samples{
        .whole = question_.problem(),
        .columns = question_.columns(),
        .names = question_.kept(),
        .rows = shape(data_.X).rows,
        .splits = data_.splits,
        .on = [&](std::span<const Index> rows, const auto& work) { work(Question<L>(question_, rows).problem()); }};
    const select::Metric& metric = select::metric_for<L>(settings.metric);
    result.by = settings.select;
    result.metric = metric.name;
    result.rule = settings.rule;
    select::check_folds(samples, metric, settings);
    walk = std::make_unique<Walk<L>>(question_, settings, stop_);
    result.path = walk->path();
    result.status = result.path.status;
    cross_validate(samples, settings, metric, result);
  }
  relax_named(settings, result);
  return result;
}

template <class L>
void Chooser<L>::relax_named(const Settings& settings, Selection& result) {
  for (const Index m : std::set<Index>{result.best, result.one_error, result.as_good})
    if (m < std::ssize(result.path.models))
      relax(question_.problem(), settings, result.relax[m], stop_, result.path.models[m]);
}

template <class L>
void Chooser<L>::cross_validate(const select::Resampling<L>& samples, const Settings& settings,
                                const select::Metric& metric, Selection& result) {
  const auto shares = shares_of<L>(settings_);
  const bool refits = shares.size() > 1;
  const auto& problem = question_.problem();
  const auto evidence = refits ? evidence_of(result.path.models) : std::vector<double>();
  Reading reading{metric.larger_is_better ? -1.0 : 1.0,
                  select::sample_count(problem.weights),
                  0,
                  shares,
                  evidence,
                  problem.features.cols() > problem.features.rows()};
  auto found =
      select::cross_validate(samples, result.path.models, shares, metric, settings, chosen_threads(settings), stop_);
  reading.folds = static_cast<int>(found.fold_count);
  pick(reading, found.scores, result);
  result.repeats = found.repeats;
  result.fold_count = found.fold_count;
  result.folds = std::move(found.folds);
  if (!is_cut(result.status) && !found.complete) result.status = stop_.reason().value_or(Status::TimeLimit);
}

template <class L>
Found<L> Chooser<L>::found(const Selection& selection) {
  const auto place = static_cast<std::size_t>(selection.chosen);
  const Result& model = selection.path.models.at(place);
  const auto& walked = walk_->path().models;
  if (place < walked.size() && walked[place].k == model.k) return walk_->found(selection.chosen);
  return find(question_.problem(), settings_of(model, settings_), stop_);
}

template <class L>
std::vector<double> Chooser<L>::evidence_of(std::span<const Result> models) {
  const auto& problem = question_.problem();
  const Criterion<L> criterion(question_, "ebic");
  const double most = select::sample_count(problem.weights) / 8;  // with more, noise alone is fitted well
  std::vector<double> result;
  for (const Result& model : models) {
    const Index size = std::ssize(model.support);
    if (static_cast<double>(size) > most) result.push_back(std::numeric_limits<double>::infinity());
    else result.push_back(criterion.at(select::refit(problem, model.support, stop_).objective, size));
  }
  return result;
}

#define INSTANTIATE(L)                  \
  template Selection Chooser<L>::run(); \
  template Found<L> Chooser<L>::found(const Selection&);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
