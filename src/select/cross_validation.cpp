// Folds as row masks of one problem, each on a thread of its own.
#include "select/cross_validation.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/thread_pool.hpp"
#include "features/column.hpp"
#include "loss/all.hpp"
#include "select/budget_path.hpp"
#include "select/folds.hpp"
#include "select/gram_walk.hpp"
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

/// Models that are fitted to some of the samples.
template <class L>
class FoldModels {
 public:
  FoldModels(const problem::Problem<L>& problem, core::Stop& stop) : problem_(problem), stop_(stop) {
    if constexpr (std::is_same_v<L, loss::Squared>)
      if (!problem.penalty.has_boxes()) gram_walk_.emplace(problem, stop);
  }

  /// Those of a stretch, by budgets up to `most` where it has no prices; fewer where a limit or an interrupt came
  /// before the last.
  std::vector<problem::Coefficients> row(const PriceGrid& grid, Index most) {
    if (gram_walk_ && grid.lambda1[0] == 0 && !grid.lambda0.empty())
      return gram_walk_->row(grid.lambda2[0], grid.lambda0);
    const solve::SearchSettings search{.effort = solve::Effort::Quick, .proves = false};
    PathProgress progress;
    std::vector<problem::Coefficients> models;
    if (!grid.lambda0.empty()) {
      if (!products_) products_ = std::make_shared<solve::FeatureGram>(problem_.features);
      for (auto& row : walk(problem_, grid, search, stop_, progress, products_))
        for (auto& point : row.points()) models.push_back(std::move(point.outcome.best.beta));
    } else {
      auto free = problem_;
      free.penalty = problem_.penalty.with({0, grid.lambda1[0], grid.lambda2[0]});
      BudgetPath<L> row(std::move(free), search, stop_, progress);
      row.walk(most, grid.made.most_nonzeros);
      for (auto& point : row.points()) models.push_back(std::move(point.outcome.best.beta));
    }
    return models;
  }

  /// (12.12)
  problem::Coefficients refitted(const problem::Coefficients& beta) {
    if (gram_walk_)
      if (auto found = gram_walk_->refit(beta.support)) return *found;
    return refit(problem_, beta.support, stop_, &beta).beta;
  }

 private:
  const problem::Problem<L>& problem_;
  core::Stop& stop_;
  std::optional<GramWalk> gram_walk_;
  std::shared_ptr<solve::FeatureGram> products_;  // for all rows
};

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
  /// What is left out in turn, and what is fitted instead: samples of the problem.
  struct Turn {
    std::vector<Index> training, test;
    double share = 0;   ///< of the weight of all samples, in training
    double weight = 0;  ///< of the test
  };

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
    const bool ranks = metric.kind == Metric::Ranking;
    if (samples.splits.empty()) folds_ = count_folds(members_, y, settings.folds, ranks, metric.name);
    else check_splits(ranks);
  }

  [[nodiscard]] int folds() const {
    return samples_.splits.empty() ? folds_ : static_cast<int>(samples_.splits.size());
  }

  /// The fold of every row of the data; none where the user has said what to leave out.
  [[nodiscard]] std::vector<int> deal(std::uint64_t repeat) const {
    if (!samples_.splits.empty()) return {};
    return select::deal(members_, static_cast<std::size_t>(samples_.rows), folds_,
                        static_cast<std::uint64_t>(settings_.seed), repeat);
  }

  [[nodiscard]] Turn turn(const std::vector<int>& fold_of, int fold) const {
    Turn result;
    std::vector<char> tests(static_cast<std::size_t>(samples_.rows), 0), trains(tests.size(), 0);
    if (fold_of.empty()) {
      for (const Index row : samples_.splits[fold].train) trains[row] = 1;
      for (const Index row : samples_.splits[fold].test) tests[row] = 1;
    } else {
      for (std::size_t row = 0; row < tests.size(); ++row) (fold_of[row] == fold ? tests : trains)[row] = 1;
    }
    for (std::size_t i = 0; i < samples_.whole.weights.size(); ++i) {
      const double weight = samples_.whole.weights[i];
      if (tests[name(i)] != 0) {
        result.test.push_back(static_cast<Index>(i));
        result.weight += weight;
      }
      if (trains[name(i)] != 0) {
        result.training.push_back(static_cast<Index>(i));
        result.share += weight / total_weight_;
      }
    }
    return result;
  }

  /// What the members score on the test of a turn when they are fitted to its training samples.
  [[nodiscard]] FoldScores scores(const Turn& turn, core::Stop& stop) const {
    FoldScores result{turn.weight, {}, {}};
    samples_.on(turn.training, [&](const problem::Problem<L>& problem) {
      FoldModels<L> fits(problem, stop);
      for (const Stretch stretch : stretches_of(models_)) {
        const auto grid = for_share(settings_, models_, stretch, turn.share);
        const auto models = fits.row(grid, models_[stretch.last - 1].k.value_or(0));
        if (stop.now() || models.size() != stretch.last - stretch.first) return result.score.clear();
        for (const auto& beta : models) score_members(problem, fits, beta, turn.test, result);
        if (stop.now()) return result.score.clear();  // a refit was cut short
      }
    });
    return result;
  }

 private:
  /// A model, and what is between it and its refit.
  void score_members(const problem::Problem<L>& problem, FoldModels<L>& fits, const problem::Coefficients& beta,
                     const std::vector<Index>& test, FoldScores& result) const {
    const auto u = predict(samples_, problem, beta);
    const bool refits = std::any_of(shares_.begin(), shares_.end(), [](double g) { return g > 0; });
    const auto without = refits ? predict(samples_, problem, fits.refitted(beta)) : u;
    auto mixed = u;
    for (const double g : shares_) {
      for (std::size_t i = 0; g > 0 && i < u.size(); ++i) mixed[i] = (1 - g) * u[i] + g * without[i];
      const Score found = score(metric_, problem.loss, left_out(mixed, test));
      result.score.push_back(found.mean);
      result.variance.push_back(found.variance);
    }
  }

  [[nodiscard]] std::size_t name(std::size_t i) const {
    return samples_.names.empty() ? i : static_cast<std::size_t>(samples_.names[i]);
  }

  [[nodiscard]] std::vector<LeftOut> left_out(const std::vector<double>& u, const std::vector<Index>& test) const {
    std::vector<LeftOut> result;
    result.reserve(test.size());
    for (const Index i : test) result.push_back({u[i], samples_.whole.given.y[i], samples_.whole.weights[i]});
    return result;
  }

  /// Throws Error where a split of the user's cannot be used; `ranks`: its test must have both classes.
  void check_splits(bool ranks) const {
    const auto refuse = [](std::size_t s, std::string_view part, const std::string& what) {
      throw Error(ErrorCode::Usage, fmt::format("splits[{}].{}: {}", s, part, what));
    };
    const auto check = [&](std::size_t s, std::string_view part, const std::vector<Index>& samples, bool both) {
      if (samples.empty()) refuse(s, part, "no sample of positive weight; expected at least 1");
      const auto y = [&](Index i) { return samples_.whole.given.y[i]; };
      if (both && std::all_of(samples.begin(), samples.end(), [&](Index i) { return y(i) == y(samples[0]); }))
        refuse(s, part, fmt::format("every sample is of class {}; expected both classes", y(samples[0])));
    };
    for (std::size_t s = 0; s < samples_.splits.size(); ++s) {
      const Split& split = samples_.splits[s];
      for (const auto* rows : {&split.train, &split.test})
        for (const Index row : *rows)
          if (row < 0 || row >= samples_.rows)
            refuse(s, rows == &split.train ? "train" : "test",
                   fmt::format("row {}; expected 0 to {}", row, samples_.rows - 1));
      const Turn found = turn({}, static_cast<int>(s));
      check(s, "train", found.training, L::classifies);
      check(s, "test", found.test, ranks);
    }
  }

  const Resampling<L>& samples_;
  std::span<const Result> models_;
  std::span<const double> shares_;  // ascending, of the refit
  const Metric& metric_;
  const Settings& settings_;
  std::vector<std::vector<Index>> members_;  // of the classes, rows of the data
  int folds_ = 0;
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
                              int threads, core::Stop& stop) {
  const Validation<L> validation(samples, models, shares, metric, settings);
  const Index often = are_many(samples.rows) ? 1 : L::quadratic ? 5 : 3;  // luck decides little where samples are many
  const bool repeatable = samples.splits.empty();
  const Index repeats = repeatable ? settings.repeats.value_or(often) : 1;
  std::atomic<Index> done = 0;
  CrossValidated result;
  result.fold_count = validation.folds();
  for (; result.repeats < repeats && (result.repeats == 0 || !stop.now()); ++result.repeats) {
    const auto fold_of = validation.deal(static_cast<std::uint64_t>(result.repeats));
    std::vector<FoldScores> scores(static_cast<std::size_t>(result.fold_count));
    std::atomic<bool> stopped = stop.now();
    const auto work = [&](Index fold) {
      if (stopped) return;
      Flag flag(stopped);
      core::Stop until({}, &flag);
      scores[fold] = validation.scores(validation.turn(fold_of, static_cast<int>(fold)), until);
      ++done;
    };
    run_watched(threads, result.fold_count, work, stop, stopped, [&] {
      const Index folds = result.fold_count * repeats;
      stop.tell({"cross-validation", stop.seconds(), unknown, unknown, 0, 0, 0, done, folds});
    });
    result.scores.insert(result.scores.end(), scores.begin(), scores.end());
    if (repeatable) result.folds.push_back(fold_of);
  }
  result.complete =
      (result.repeats == repeats || !stop.reason()) &&
      std::none_of(result.scores.begin(), result.scores.end(), [](const auto& fold) { return fold.score.empty(); });
  return result;
}

#define INSTANTIATE(L)                                                                                           \
  template void check_folds(const Resampling<L>&, const Metric&, const Settings&);                               \
  template CrossValidated cross_validate(const Resampling<L>&, std::span<const Result>, std::span<const double>, \
                                         const Metric&, const Settings&, int, core::Stop&);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::select
