// path() against the truth by enumeration, the grids it makes, its limits and its refusals.
#include "ellzero/path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "fit/small_sample.hpp"
#include "select/grid.hpp"
#include "select/path_cases.hpp"

namespace ellzero {
namespace {

/// The claims of one model against the truth: `optimum` is of its own form, `with(j, in)` the best with feature j in or
/// out.
template <class With>
void expect_true(const Result& model, double optimum, bool converged, With&& with, const std::string& where) {
  const double slack = 1e-9 * (1 + std::abs(optimum));
  EXPECT_LE(model.lower_bound, optimum + slack) << where;
  if (!converged) return;
  EXPECT_GE(model.objective, optimum - slack) << where;
  for (Index j = 0; j < model.p; ++j) {
    if (model.verdicts[j] == Verdict::Always) {
      EXPECT_GT(with(j, false), optimum - slack) << where << ", feature " << j;
    }
    if (model.verdicts[j] == Verdict::Never) {
      EXPECT_GT(with(j, true), optimum - slack) << where << ", feature " << j;
    }
  }
}

class PathTruth : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PathTruth, bounds_and_verdicts_of_every_price_hold) {
  std::mt19937_64 rng(GetParam());
  int best = 0, points = 0;
  for (int k = 0; k < 80; ++k) {
    SmallProblem s = oracle::random_problem(rng, 8);
    s.settings.lambda0.reset();
    s.settings.grid_size = 8;
    if (k % 2 == 0) s.settings.lambda0_grid = random_prices(rng, 6);
    const Truth truth(s);
    const std::string where =
        "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(k) + ", " + describe(s);
    for (const Result& model : path(s.dataset(), s.settings).models) {
      const double optimum = truth.optimum(*model.lambda0);
      expect_true(
          model, optimum, truth.converged(),
          [&](Index j, bool in) {
            return truth.optimum(*model.lambda0, [&](auto support) { return ((support >> j & 1) != 0) == in; });
          },
          where);
      ++points;
      best += model.objective <= optimum + 1e-7 * (1 + std::abs(optimum)) ? 1 : 0;
    }
  }
  EXPECT_GT(best, 0.98 * points);
}

TEST_P(PathTruth, bounds_and_verdicts_of_every_budget_hold) {
  std::mt19937_64 rng(50 + GetParam());
  int best = 0, points = 0;
  for (int k = 0; k < 60; ++k) {
    SmallProblem s = oracle::random_problem(rng, 7);
    s.settings.lambda0.reset();
    s.settings.k = s.p;
    const Truth truth(s);
    const std::string where =
        "seed " + std::to_string(GetParam()) + ", instance " + std::to_string(k) + ", " + describe(s);
    for (const Result& model : path(s.dataset(), s.settings).models) {
      const double optimum = truth.within(*model.k);
      expect_true(
          model, optimum, truth.converged(),
          [&](Index j, bool in) {
            return truth.optimum(
                0, [&](auto support) { return std::popcount(support) <= *model.k && ((support >> j & 1) != 0) == in; });
          },
          where);
      ++points;
      best += model.objective <= optimum + 1e-7 * (1 + std::abs(optimum)) ? 1 : 0;
    }
  }
  EXPECT_GT(best, 0.98 * points);
}

TEST_P(PathTruth, a_made_grid_begins_where_the_empty_model_does) {
  std::mt19937_64 rng(90 + GetParam());
  int looked_at = 0, exact = 0;
  for (int k = 0; k < 60; ++k) {
    SmallProblem s = oracle::random_problem(rng, 8);
    s.settings.lambda0.reset();
    s.settings.grid_size = 30;
    const Truth truth(s);
    const double highest = truth.highest_price();
    if (!truth.converged() || highest < 1e-6) continue;
    ++looked_at;
    const Path found = path(s.dataset(), s.settings);
    ASSERT_LE(found.models.size(), 30U);
    const double first = *found.models.front().lambda0;
    EXPECT_LE(first, (1 + 1e-5) * highest) << k << ", " << describe(s);
    exact += first >= (1 - 1e-5) * highest ? 1 : 0;  // two features that pay together only may be missed
    EXPECT_LE(found.models.front().support.size(), s.settings.always.size());
    for (std::size_t m = 1; m < found.models.size(); ++m)
      EXPECT_LT(*found.models[m].lambda0, *found.models[m - 1].lambda0);
  }
  EXPECT_GT(looked_at, 30);
  EXPECT_GE(exact, 0.95 * looked_at);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PathTruth, ::testing::Values(1, 2, 3, 4));

/// Of 12 features that all matter, by less and less.
SmallProblem staircase() {
  std::mt19937_64 rng(7);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 100;
  s.p = 12;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) {
    double signal = 0.1 * normal(rng);
    for (Index j = 0; j < s.p; ++j) signal += s.x[j * s.n + i] * std::pow(0.8, static_cast<double>(j));
    s.y.push_back(signal);
  }
  s.settings.lambda2 = 0.001;
  s.settings.threads = 1;
  return s;
}

std::vector<std::size_t> sizes_of(const Path& path) {
  std::vector<std::size_t> sizes;
  for (const Result& model : path.models) sizes.push_back(model.support.size());
  return sizes;
}

TEST(PathGrid, a_made_grid_shows_every_size_that_some_price_has) {
  const SmallProblem s = staircase();
  const auto sizes = sizes_of(path(s.dataset(), s.settings));
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
  const Truth truth(s);
  std::vector<double> best;
  for (Index k = 0; k <= s.p; ++k) best.push_back(truth.within(k));
  const auto none = select::off_hull(best);
  EXPECT_LE(none.size(), 3U);
  for (Index k = 0; k <= s.p; ++k)
    EXPECT_EQ(std::count(sizes.begin(), sizes.end(), k) > 0, std::count(none.begin(), none.end(), k) == 0) << k;
}

TEST(PathGrid, a_path_ends_at_the_first_model_with_too_many_features) {
  SmallProblem s = staircase();
  s.settings.max_nonzeros = 5;
  for (const bool made : {true, false}) {
    s.settings.lambda0_grid = made ? std::vector<double>{} : std::vector<double>{30, 10, 3, 1, 0.3, 0.1, 0.03};
    const auto sizes = sizes_of(path(s.dataset(), s.settings));
    ASSERT_GE(sizes.size(), 3U);
    EXPECT_GT(sizes.back(), 5U);
    EXPECT_LE(sizes[sizes.size() - 2], 5U);
  }
}

TEST(PathGrid, few_values_still_reach_far_down) {
  SmallProblem s = staircase();
  for (const int values : {1, 2, 5, 10}) {
    s.settings.grid_size = values;
    const Path found = path(s.dataset(), s.settings);
    EXPECT_LE(found.models.size(), static_cast<std::size_t>(values));
    EXPECT_TRUE(found.models.front().support.empty());
    if (values >= 5) {
      EXPECT_GE(found.models.back().support.size(), 8U) << values;
    }
  }
}

TEST(PathGrid, a_target_without_signal_has_a_path_of_one) {
  for (const char* loss : all_losses) {
    SmallProblem s = small_sample(loss);
    s.settings.lambda0.reset();
    if (s.settings.loss == "squared") std::fill(s.y.begin(), s.y.end(), 3.0);
    else s.settings.lambda1 = 100;
    const Path found = path(s.dataset(), s.settings);
    ASSERT_EQ(found.models.size(), 1U) << loss;
    EXPECT_TRUE(found.models[0].support.empty());
  }
}

TEST(PathGrid, budgets_above_the_hull_are_named) {
  using select::off_hull;
  using Values = std::vector<double>;
  using Places = std::vector<Index>;
  EXPECT_EQ(off_hull(Values{10, 9, 5, 4.9}), (Places{1}));
  EXPECT_EQ(off_hull(Values{10, 5, 5, 2}), (Places{2}));
  EXPECT_EQ(off_hull(Values{10, 6, 3, 1}), Places{});
  EXPECT_EQ(off_hull(Values{4, 3, 2, 1}), Places{});  // on one line: each at one price
  EXPECT_EQ(off_hull(Values{10, 9.9, 9.8, 9.7, 0}), (Places{1, 2, 3}));
  // Two features that are nothing alone: no price has the model of one.
  SmallProblem s;
  std::mt19937_64 rng(8);
  std::normal_distribution<double> normal;
  s.n = 50;
  s.p = 2;
  for (Index i = 0; i < s.n; ++i) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) s.x.push_back(s.x[i] + 0.05 * normal(rng));
  for (Index i = 0; i < s.n; ++i) s.y.push_back(s.x[i] - s.x[s.n + i]);
  s.settings.lambda2 = 0;
  s.settings.k = 2;
  EXPECT_EQ(path(s.dataset(), s.settings).unreached, (Places{1}));
}

/// Stops the path when it has told of so many points.
class StopAfter : public Observer {
 public:
  explicit StopAfter(Index points) : points_(points) {}
  void on_progress(const Progress& progress) override {
    if (progress.stage != "path") return;
    EXPECT_EQ(progress.point, ++seen_);
    in_all_ = progress.points;
    EXPECT_LE(progress.lower_bound, progress.objective * (1 + 1e-9));
  }
  bool should_stop() override { return seen_ >= points_; }
  [[nodiscard]] Index seen() const { return seen_; }
  [[nodiscard]] Index in_all() const { return in_all_; }

 private:
  Index points_, seen_ = 0, in_all_ = 0;
};

TEST(PathLimits, a_limit_leaves_the_rest_of_the_grid_out) {
  std::mt19937_64 rng(9);
  for (const bool budget : {false, true})
    for (const char* loss : all_losses) {
      SmallProblem s = medium_problem(rng, loss);
      if (budget) s.settings.k = 6;
      else s.settings.lambda0_grid = {4, 2, 1, 0.5, 0.25, 0.1};
      StopAfter third(3);
      const Path found = path(s.dataset(), s.settings, &third);
      EXPECT_EQ(found.status, Status::Interrupted) << loss;
      EXPECT_EQ(found.models.size(), 3U) << loss;
      for (const Result& model : found.models) EXPECT_LE(model.lower_bound, model.objective);
      s.settings.time_limit = 0;
      const Path none = path(s.dataset(), s.settings);
      ASSERT_EQ(none.models.size(), 1U) << loss;
      EXPECT_EQ(none.status, Status::TimeLimit) << loss;
      EXPECT_LE(none.models[0].lower_bound, none.models[0].objective);
    }
}

TEST(PathLimits, progress_counts_the_points) {
  SmallProblem s = staircase();
  s.settings.lambda0_grid = {10, 1, 0.1};
  s.settings.lambda2_grid = {0.1, 0.01};
  StopAfter never(1000);
  (void)path(s.dataset(), s.settings, &never);
  EXPECT_EQ(never.seen(), 6);
  EXPECT_EQ(never.in_all(), 6);
  s.settings.lambda0_grid.clear();
  s.settings.k = 3;
  StopAfter once_more(1000);
  (void)path(s.dataset(), s.settings, &once_more);
  EXPECT_EQ(once_more.seen(), 8);
  EXPECT_EQ(once_more.in_all(), 8);
}

TEST(PathRefusals, what_is_no_path_is_refused) {
  const auto refused = [](const std::vector<std::string>& parts, auto change) {
    SmallProblem s = staircase();
    change(s.settings);
    for (const std::string& part : parts)
      expect_refused(ErrorCode::Usage, {part}, [&] { return path(s.dataset(), s.settings); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused({"lambda0: value is 1; expected none", "lambda0_grid"}, [](Settings& t) { t.lambda0 = 1; });
  refused({"k and lambda0_grid: both are set"}, [](Settings& t) { t.k = 2, t.lambda0_grid = {1}; });
  refused({"method: value is cdss; expected engine"}, [](Settings& t) { t.method = "cdss"; });
  refused({"lambda0_grid[1]: value is -1; expected 0 to"}, [](Settings& t) { t.lambda0_grid = {1, -1}; });
  refused({"lambda2_grid[0]: value is nan"}, [&](Settings& t) { t.lambda2_grid = {nan}; });
  refused({"grid_size: value is 0"}, [](Settings& t) { t.grid_size = 0; });
  refused({"k: value is 13; expected 0 to 12"}, [](Settings& t) { t.k = 13; });
}

}  // namespace
}  // namespace ellzero
