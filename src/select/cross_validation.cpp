// Folds as row masks of one problem, each on a thread of its own.
#include "select/cross_validation.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <numeric>
#include <utility>

#include "core/thread_pool.hpp"
#include "features/column.hpp"
#include "loss/all.hpp"
#include "select/budget_path.hpp"
#include "select/folds.hpp"
#include "select/grid.hpp"
#include "select/path.hpp"
#include "select/refit.hpp"

namespace ellzero::select {
namespace {

/// Runs work(0) .. work(blocks - 1) on other threads, while the calling one asks whether to stop: only it may ask the
/// observer. `stopped` is set before anything is left, so that the others end soon.
void run_watched(int threads, Index blocks, const std::function<void(Index)>& work, core::Stop& stop,
                 std::atomic<bool>& stopped, const std::function<void()>& tell) {
  struct SetAtEnd {
    std::atomic<bool>& flag;
    ~SetAtEnd() { flag = true; }
  };
  auto all = std::async(std::launch::async, [&] {
    core::ThreadPool pool(static_cast<int>(std::min<Index>(threads, blocks)));
    pool.run(blocks, work);
  });
  const SetAtEnd end{stopped};  // before `all` is waited for, also when the observer throws
  while (all.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (stop.now()) stopped = true;
    else tell();
  }
  all.get();
  tell();
}

/// What the computations of the folds ask whether to stop.
class Flag : public Observer {
 public:
  explicit Flag(const std::atomic<bool>& stopped) : stopped_(stopped) {}
  bool should_stop() override { return stopped_; }

 private:
  const std::atomic<bool>& stopped_;
};

/// The models `first` .. `last` - 1 of a path have lambda1 and lambda2 in common, or the budget form.
struct Stretch {
  std::size_t first, last;
};

std::vector<Stretch> stretches_of(std::span<const Result> models) {
  std::vector<Stretch> result;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const bool continues = m > 0 && models[m].lambda1 == models[m - 1].lambda1 &&
                           models[m].lambda2 == models[m - 1].lambda2 && models[m].lambda0 <= models[m - 1].lambda0 &&
                           models[m].k >= models[m - 1].k;
    if (!continues) result.push_back({m, m});
    result.back().last = m + 1;
  }
  return result;
}

/// The prices at which folds fit the models of a stretch. On a grid made from the data a model stands anywhere in the
/// range in which it is the best of all, often at its end, where a few samples more or less decide for another: folds
/// take the middle of the range, by ratio (12.9), and for a model without features a price that nothing is worth.
std::vector<double> prices_of(const Settings& settings, std::span<const Result> models, Stretch stretch) {
  constexpr double nothing_pays = 1e3;
  const auto own = [&](std::size_t m) { return *models[m].lambda0; };
  const auto line = [&](std::size_t m) {
    const Index size = std::ssize(models[m].support);
    return select::Line{models[m].objective - own(m) * static_cast<double>(size), size};
  };
  // Where model m + 1 becomes better than m; between them, whatever rounding and always-in features say.
  const auto change_after = [&](std::size_t m) {
    return std::clamp(select::crossing(line(m), line(m + 1)), own(m + 1), own(m));
  };
  std::vector<double> prices;
  for (std::size_t m = stretch.first; m < stretch.last; ++m) {
    if (!settings.lambda0_grid.empty()) {
      prices.push_back(own(m));
      continue;
    }
    const auto size = line(m).size;
    std::size_t first = m, last = m;
    while (first > stretch.first && line(first - 1).size == size) --first;
    while (last + 1 < stretch.last && line(last + 1).size == size) ++last;
    const double high = first > stretch.first ? change_after(first - 1) : own(first);
    const double low = last + 1 < stretch.last ? change_after(last) : own(last);
    const bool none = first == stretch.first && size <= std::ssize(settings.always);
    prices.push_back(none ? nothing_pays * high : std::sqrt(low * high));  // (12.9)
  }
  return prices;
}

/// lambda1, lambda2 and prices that ask the same of a share of the samples: sums shrink with it, and so do the prices
/// (12.1). Columns of norm 1 have coefficients that shrink as its root, and prices of their size shrink the less.
PriceGrid for_share(const Settings& settings, std::span<const Result> models, Stretch stretch, double share) {
  const Result& first = models[stretch.first];
  PriceGrid grid;
  grid.lambda1 = {first.lambda1 * (settings.standardize ? std::sqrt(share) : share)};  // (12.1)
  grid.lambda2 = {first.lambda2 * (settings.standardize ? 1 : share)};
  grid.made.most_nonzeros = std::numeric_limits<Index>::max();
  if (!settings.k)
    for (const double price : prices_of(settings, models, stretch)) grid.lambda0.push_back(share * price);
  return grid;
}

/// The models of a stretch, fitted to some of the samples; fewer where a limit or an interrupt came before the last.
template <class L>
std::vector<problem::Coefficients> models_of(const problem::Problem<L>& problem, const PriceGrid& grid, Index most,
                                             core::Stop& stop) {
  const solve::SearchSettings search{.effort = solve::Effort::Quick, .proves = false};
  PathProgress progress;
  std::vector<problem::Coefficients> models;
  if (!grid.lambda0.empty()) {
    for (auto& row : walk(problem, grid, search, stop, progress))
      for (auto& point : row.points()) models.push_back(std::move(point.outcome.best.beta));
  } else {
    auto free = problem;
    free.penalty = problem.penalty.with({0, grid.lambda1[0], grid.lambda2[0]});
    BudgetPath<L> row(std::move(free), search, stop, progress);
    row.walk(most, grid.made.most_nonzeros);
    for (auto& point : row.points()) models.push_back(std::move(point.outcome.best.beta));
  }
  return models;
}

/// u of every sample, those that the problem leaves out as well                                               (1.1)
template <class L>
std::vector<double> predict(const Resampling<L>& samples, const problem::Problem<L>& fitted,
                            const problem::Coefficients& beta) {
  const auto offset = samples.whole.given.offset;
  std::vector<double> u(offset.begin(), offset.end());
  double constant = beta.intercept + fitted.given.shift;
  features::Column column;
  for (std::size_t c = 0; c < beta.support.size(); ++c) {
    const Index j = beta.support[c];
    const double slope = beta.values[c] * fitted.features.scale(j), origin = fitted.features.origin(j);
    column.read(samples.columns, j);
    const double near = column.is_full() ? origin : 0;  // what every row has taken off
    column.for_each([&](Index i, double x) { u[i] += slope * (x - near); });
    constant -= slope * ((origin - near) + fitted.features.mean(j));
  }
  for (double& ui : u) ui += constant;
  return u;
}

/// One computation of folds.
template <class L>
class Validation {
 public:
  Validation(const Resampling<L>& samples, std::span<const Result> models, std::span<const double> shares,
             const Metric& metric, const Settings& settings)
      : samples_(samples), models_(models), shares_(shares), metric_(metric), settings_(settings) {
    const auto& whole = samples.whole;
    total_weight_ = std::accumulate(whole.weights.begin(), whole.weights.end(), 0.0);
    std::vector<double> y(static_cast<std::size_t>(samples.rows), 0.0), weights(y.size(), 0.0);
    for (std::size_t i = 0; i < whole.weights.size(); ++i) {
      y[name(i)] = whole.given.y[i];
      weights[name(i)] = whole.weights[i];
    }
    members_ = strata(y, weights, L::classifies);
    check_folds(members_, y, settings.folds, metric.kind == Metric::Ranking, metric.name);
  }

  [[nodiscard]] std::vector<int> deal(std::uint64_t repeat) const {
    return select::deal(members_, static_cast<std::size_t>(samples_.rows), settings_.folds,
                        static_cast<std::uint64_t>(settings_.seed), repeat);
  }

  /// What the members score on the samples of a fold when they are fitted to all others.
  [[nodiscard]] FoldScores without_fold(const std::vector<int>& fold_of, int fold, core::Stop& stop) const {
    FoldScores result;
    std::vector<Index> training;
    double share = 0;
    for (std::size_t i = 0; i < samples_.whole.weights.size(); ++i) {
      const double weight = samples_.whole.weights[i];
      if (fold_of[name(i)] == fold) {
        result.weight += weight;
        continue;
      }
      training.push_back(static_cast<Index>(i));
      share += weight / total_weight_;
    }
    samples_.on(training, [&](const problem::Problem<L>& problem) {
      for (const Stretch stretch : stretches_of(models_)) {
        const Index most = models_[stretch.last - 1].k.value_or(0);
        const auto models = models_of(problem, for_share(settings_, models_, stretch, share), most, stop);
        if (stop.now() || models.size() != stretch.last - stretch.first) return result.score.clear();
        for (const auto& beta : models) score_members(problem, beta, fold_of, fold, stop, result);
        if (stop.now()) return result.score.clear();  // a refit was cut short
      }
    });
    return result;
  }

 private:
  /// A model, and what is between it and its refit.
  void score_members(const problem::Problem<L>& problem, const problem::Coefficients& beta,
                     const std::vector<int>& fold_of, int fold, core::Stop& stop, FoldScores& result) const {
    const auto u = predict(samples_, problem, beta);
    const bool refits = std::any_of(shares_.begin(), shares_.end(), [](double g) { return g > 0; });
    const auto without = refits ? predict(samples_, problem, refit(problem, beta, stop)) : u;
    auto mixed = u;
    for (const double g : shares_) {
      for (std::size_t i = 0; g > 0 && i < u.size(); ++i) mixed[i] = (1 - g) * u[i] + g * without[i];
      const Score found = score(metric_, problem.loss, left_out(mixed, fold_of, fold));
      result.score.push_back(found.mean);
      result.variance.push_back(found.variance);
    }
  }

  [[nodiscard]] std::size_t name(std::size_t i) const {
    return samples_.names.empty() ? i : static_cast<std::size_t>(samples_.names[i]);
  }

  [[nodiscard]] std::vector<LeftOut> left_out(const std::vector<double>& u, const std::vector<int>& fold_of,
                                              int fold) const {
    std::vector<LeftOut> result;
    for (std::size_t i = 0; i < u.size(); ++i)
      if (fold_of[name(i)] == fold) result.push_back({u[i], samples_.whole.given.y[i], samples_.whole.weights[i]});
    return result;
  }

  const Resampling<L>& samples_;
  std::span<const Result> models_;
  std::span<const double> shares_;  // ascending, of the refit
  const Metric& metric_;
  const Settings& settings_;
  std::vector<std::vector<Index>> members_;  // of the classes, rows of the data
  double total_weight_ = 0;
};

}  // namespace

template <class L>
void check_folds(const Resampling<L>& samples, const Metric& metric, const Settings& settings) {
  (void)Validation<L>(samples, {}, {}, metric, settings);
}

template <class L>
CrossValidated cross_validate(const Resampling<L>& samples, std::span<const Result> models,
                              std::span<const double> shares, const Metric& metric, const Settings& settings,
                              int threads, const std::function<bool(const CrossValidated&)>& settled,
                              core::Stop& stop) {
  const Validation<L> validation(samples, models, shares, metric, settings);
  constexpr Index most_repeats = 5;
  const Index repeats = settings.repeats.value_or(most_repeats);
  std::atomic<Index> done = 0;
  CrossValidated result;
  for (Index repeat = 0; repeat < repeats && (repeat == 0 || !stop.now()); ++repeat) {
    if (!settings.repeats && repeat > 0 && settled(result)) break;
    const auto fold_of = validation.deal(static_cast<std::uint64_t>(repeat));
    std::vector<FoldScores> scores(static_cast<std::size_t>(settings.folds));
    std::atomic<bool> stopped = stop.now();
    const auto work = [&](Index fold) {
      if (stopped) return;
      Flag flag(stopped);
      core::Stop until({}, &flag);
      scores[fold] = validation.without_fold(fold_of, static_cast<int>(fold), until);
      ++done;
    };
    run_watched(threads, settings.folds, work, stop, stopped, [&] {
      const Index folds = settings.folds * (settings.repeats ? repeats : repeat + 1);
      stop.tell({"cross-validation", stop.seconds(), unknown, unknown, 0, 0, 0, done, folds});
    });
    result.scores.insert(result.scores.end(), scores.begin(), scores.end());
    result.folds.push_back(fold_of);
  }
  result.complete =
      (std::ssize(result.folds) == repeats || !stop.reason()) &&
      std::none_of(result.scores.begin(), result.scores.end(), [](const auto& fold) { return fold.score.empty(); });
  return result;
}

#define INSTANTIATE(L)                                                                                           \
  template void check_folds(const Resampling<L>&, const Metric&, const Settings&);                               \
  template CrossValidated cross_validate(const Resampling<L>&, std::span<const Result>, std::span<const double>, \
                                         const Metric&, const Settings&, int,                                    \
                                         const std::function<bool(const CrossValidated&)>&, core::Stop&);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::select
