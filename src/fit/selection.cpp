// The front door of choose(): the path on all samples, the same models on every training fold, one choice.
#include "ellzero/selection.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "ellzero/predict.hpp"
#include "ellzero/settings_table.hpp"
#include "fit/dispatch.hpp"
#include "fit/path.hpp"
#include "fit/samples.hpp"
#include "select/choice.hpp"
#include "select/criteria.hpp"
#include "select/folds.hpp"
#include "select/grid.hpp"
#include "select/metrics.hpp"
#include "select/sample_count.hpp"

namespace ellzero {
namespace {

bool is_cut(Status status) { return status == Status::TimeLimit || status == Status::Interrupted; }

std::vector<double> predict(const Dataset& data, const Result& model) {
  return predict(data.X, data.offset, model.intercept, model.support, model.coefficients);
}

std::optional<double> time_left(const Settings& settings, const core::Stop& stop) {
  if (!settings.time_limit) return std::nullopt;
  return std::max(0.0, *settings.time_limit - stop.seconds());
}

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

std::vector<Stretch> stretches_of(const std::vector<Result>& models) {
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
std::vector<double> prices_of(const Settings& settings, const std::vector<Result>& models, Stretch stretch) {
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

/// The settings that ask the same of a share of the samples: sums shrink with it, and so do the prices (12.1). Columns
/// of norm 1 have coefficients that shrink as its root, and prices of their size shrink the less.
Settings for_share(const Settings& settings, const std::vector<Result>& models, Stretch stretch, double share) {
  auto fold = settings;
  const Result& first = models[stretch.first];
  fold.lambda1 = first.lambda1 * (settings.standardize ? std::sqrt(share) : share);  // (12.1)
  fold.lambda2 = first.lambda2 * (settings.standardize ? 1 : share);
  fold.lambda0_grid.clear();
  fold.lambda1_grid.clear();
  fold.lambda2_grid.clear();
  fold.max_nonzeros.reset();
  fold.threads = 1;
  if (settings.k) fold.k = models[stretch.last - 1].k;
  else
    for (const double price : prices_of(settings, models, stretch)) fold.lambda0_grid.push_back(share * price);
  return fold;
}

template <loss::Loss L>
class Chooser {
 public:
  Chooser(const L& loss, const Dataset& data, const Settings& settings, Observer* observer)
      : loss_(loss), data_(data), settings_(settings), observer_(observer), stop_(settings.time_limit, observer) {
    front::check_samples(data, {&L::is_target, L::targets, L::classifies});
    weights_.assign(data.weights.begin(), data.weights.end());
    if (weights_.empty()) weights_.assign(data.y.size(), 1.0);
    total_weight_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  }

  /// Small models first. Larger ones cost far more time, and are looked at as long as the score asks for them.
  Selection run() {
    if (settings_.max_nonzeros || settings_.k || !settings_.lambda0_grid.empty()) return among(settings_);
    const Index most = select::sensible_nonzeros(weights_, columns());
    Selection best;
    for (Index size = std::min<Index>(20, most);; size = 4 * size > most ? most : 2 * size) {
      auto settings = settings_;
      settings.max_nonzeros = size;
      settings.time_limit = time_left(settings_, stop_);
      auto found = among(settings);
      const bool cut = is_cut(found.status);
      if (cut && !best.path.models.empty()) best.status = found.status;  // what was finished tells more
      else best = std::move(found);
      if (cut || size == most || !asks_for_more(best, size)) return best;
    }
  }

 private:
  [[nodiscard]] Index columns() const { return shape(data_.X).cols; }

  /// Whether models with more features than `size` could score better: unless the path has ended by itself before, or
  /// the best has at most half as many and the last is worse by more than a standard error.
  static bool asks_for_more(const Selection& found, Index size) {
    const auto& models = found.path.models;
    const auto features = [&](std::size_t m) { return std::ssize(models[m].support); };
    if (models.empty() || features(models.size() - 1) <= size) return false;
    const auto best = static_cast<std::size_t>(found.best);
    const double error = found.standard_error.empty() ? 0 : found.standard_error[best];
    return 2 * features(best) > size || !(std::abs(found.score.back() - found.score[best]) > error);
  }

  /// The models of one path, their scores and the choice.
  Selection among(const Settings& settings) {
    Selection result;
    result.by = result.metric = settings.select;
    result.rule = "min";
    if (settings.select != "cv") {
      result.path = path(data_, settings, observer_);
      result.status = result.path.status;
      for (const Result& model : result.path.models)
        result.score.push_back(select::criterion<L>(settings.select, summary(model)));
    } else {
      const select::Metric& metric = select::metric_for<L>(settings.metric);
      result.metric = metric.name;
      result.rule = settings.rule;
      members_ = select::strata(data_.y, weights_, L::classifies);
      select::check_folds(members_, data_.y, settings.folds, metric.kind == select::Metric::Ranking, metric.name);
      result.path = path(data_, settings, observer_);
      result.status = result.path.status;
      cross_validate(metric, result);
    }
    pick(result);
    return result;
  }

  void cross_validate(const select::Metric& metric, Selection& result) {
    const Index blocks = Index{settings_.folds} * settings_.repeats;
    std::vector<select::FoldScores> scores(static_cast<std::size_t>(blocks));
    std::atomic<bool> stopped = is_cut(result.path.status);
    std::atomic<Index> done = 0;
    result.folds.resize(static_cast<std::size_t>(settings_.repeats));
    const auto work = [&](Index b) {
      if (stopped) return;
      const auto repeat = static_cast<std::uint64_t>(b / settings_.folds);
      const int fold = static_cast<int>(b % settings_.folds);
      const auto fold_of =
          select::deal(members_, weights_.size(), settings_.folds, static_cast<std::uint64_t>(settings_.seed), repeat);
      if (fold == 0) result.folds[repeat] = fold_of;
      scores[b] = without_fold(metric, result.path.models, fold_of, fold, stopped);
      ++done;
    };
    run_watched(front::chosen_threads(settings_), blocks, work, stop_, stopped, [&] {
      stop_.tell({"cross-validation", stop_.seconds(), select::unknown, select::unknown, 0, 0, 0, done, blocks});
    });
    const auto curve = select::curve(scores, result.path.models.size(), settings_.folds);
    result.score = curve.mean;
    result.standard_error = curve.standard_error;
    if (is_cut(result.status)) return;
    const bool whole = std::none_of(scores.begin(), scores.end(), [](const auto& fold) { return fold.score.empty(); });
    if (!whole) result.status = stop_.reason().value_or(Status::TimeLimit);
  }

  /// What the models score on the samples of a fold when they are fitted to all others.
  select::FoldScores without_fold(const select::Metric& metric, const std::vector<Result>& models,
                                  const std::vector<int>& fold_of, int fold, const std::atomic<bool>& stopped) const {
    select::FoldScores result;
    auto training = weights_;
    for (std::size_t i = 0; i < training.size(); ++i)
      if (fold_of[i] == fold) result.weight += std::exchange(training[i], 0.0);
    const double share = std::accumulate(training.begin(), training.end(), 0.0) / total_weight_;
    auto data = data_;
    data.weights = training;
    Flag flag(stopped);
    for (const Stretch stretch : stretches_of(models)) {
      auto settings = for_share(settings_, models, stretch, share);
      settings.time_limit = time_left(settings_, stop_);
      const Path path = front::walk_path(data, settings, &flag, false);
      if (is_cut(path.status) || path.models.size() != stretch.last - stretch.first) return {};
      for (const Result& model : path.models)
        result.score.push_back(select::score(metric, loss_, left_out(predict(data_, model), fold_of, fold)));
    }
    return result;
  }

  std::vector<select::LeftOut> left_out(const std::vector<double>& u, const std::vector<int>& fold_of, int fold) const {
    std::vector<select::LeftOut> samples;
    for (std::size_t i = 0; i < u.size(); ++i)
      if (fold_of[i] == fold) samples.push_back({u[i], data_.y[i], weights_[i]});
    return samples;
  }

  select::FitSummary summary(const Result& model) const {
    const double n = select::sample_count(weights_), to_n = n / total_weight_;
    select::FitSummary fit{0, n, 0, model.p, std::ssize(model.support), settings_.intercept};
    const auto u = predict(data_, model);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double target = data_.y[i] - (data_.offset.empty() ? 0 : data_.offset[i]);
      fit.loss += to_n * weights_[i] * loss_.value(u[i], data_.y[i]);
      fit.target_size += to_n * weights_[i] * target * target;
    }
    return fit;
  }

  static void pick(Selection& result) {
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

  const L& loss_;
  const Dataset& data_;
  const Settings& settings_;
  Observer* observer_;
  core::Stop stop_;
  std::vector<double> weights_;
  std::vector<std::vector<Index>> members_;  // of the classes
  double total_weight_ = 0;
};

}  // namespace

Selection choose(const Dataset& data, const Settings& settings, Observer* observer) {
  validate(settings);
  return std::visit([&](const auto& loss) { return Chooser(loss, data, settings, observer).run(); },
                    front::chosen_loss(settings));
}

}  // namespace ellzero
