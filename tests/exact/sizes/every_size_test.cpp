// every_k() against the truth by enumeration, against R's leaps on classic data, and at its limits.
#include "ellzero/every_k.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/table/data_file.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

SmallProblem random_squared_problem(std::mt19937_64& rng, Index largest_p) {
  SmallProblem s;
  do s = oracle::random_problem(rng, largest_p);
  while (s.settings.loss != "squared");
  s.settings.lambda0.reset();
  if (s.p > 3 && rng() % 4 == 0)  // one column is a sum of two others, exactly
    for (Index i = 0; i < s.n; ++i) {
      for (double* x : {&s.x[i], &s.x[s.n + i]}) *x = std::round(1024 * *x) / 1024;
      s.x[3 * s.n + i] = s.x[i] + s.x[s.n + i];
    }
  if (rng() % 2 == 0) {
    s.settings.lower.clear();
    s.settings.upper.clear();
    if (rng() % 2 == 0) s.settings.lambda1 = 0;
  }
  return s;
}

/// No bound is close to an objective that rounding has made.
bool fits_perfectly(const Result& result, const Result& none) { return result.objective <= 1e-6 * none.objective; }

void compare(SmallProblem s, const std::string& where) {
  const auto results = every_k(s.dataset(), s.settings);
  const auto always = static_cast<Index>(s.settings.always.size());
  ASSERT_EQ(static_cast<Index>(results.size()), s.p - always + 1) << where;
  for (const Result& result : results) {
    s.settings.k = *result.k;
    const auto optimum = oracle::Enumeration(s).solve();
    const std::string here =
        fmt::format("{}, k {}, lambda1 {}, lambda2 {}, boxes {}, always {}", where, *result.k, s.settings.lambda1,
                    *s.settings.lambda2, s.settings.lower.size() + s.settings.upper.size(), always);
    const double slack = 1e-9 * (1 + std::abs(optimum.objective));
    // Bounds on one side, and columns that may be dependent: no coefficient is known to be small, so nothing is
    // claimed.
    const bool unbounded =
        s.settings.lambda1 == 0 && *s.settings.lambda2 == 0 && s.settings.lower.size() + s.settings.upper.size() > 0;
    if (!fits_perfectly(result, results[0]) && (!unbounded || result.lower_bound > 0)) {
      EXPECT_EQ(result.status, Status::Optimal) << here;
    }
    EXPECT_LE(static_cast<Index>(result.support.size()), *result.k) << here;
    EXPECT_LE(result.lower_bound, result.objective) << here;
    EXPECT_LE(result.lower_bound, optimum.objective + slack) << here;
    EXPECT_LE(result.objective, optimum.objective + slack) << here;
    if (optimum.converged) {
      EXPECT_GE(result.objective, optimum.objective - slack) << here;
    }
  }
}

class EveryK : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(EveryK, finds_the_enumerated_optimum_of_every_size) {
  std::mt19937_64 rng(GetParam());
  for (int k = 0; k < 250; ++k)
    compare(random_squared_problem(rng, k % 5 == 0 ? 10 : 7), fmt::format("seed {}, instance {}", GetParam(), k));
}

INSTANTIATE_TEST_SUITE_P(random, EveryK, ::testing::Range<std::uint64_t>(0, 4));

__extension__ using Quad = __float128;
using QuadColumn = std::vector<Quad>;

Quad dot(const QuadColumn& a, const QuadColumn& b) {
  Quad sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Takes what `direction` explains out of `column`.
void project(const QuadColumn& direction, QuadColumn& column) {
  const Quad share = dot(direction, column) / dot(direction, direction);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] -= share * direction[i];
}

/// |y - X b|^2 / 2 at its least over the columns of `model`, with an intercept, to 1e-12 even where columns differ in
/// their last digit only: Gram and Schmidt, twice.
double least_squares_in_quad(const SmallProblem& s, unsigned model) {
  constexpr double dependent = 1e-25;
  std::vector<QuadColumn> basis = {QuadColumn(static_cast<std::size_t>(s.n), Quad(1))};
  QuadColumn left(s.y.begin(), s.y.end());
  project(basis[0], left);
  for (Index j = 0; j < s.p; ++j) {
    if ((model >> j & 1) == 0) continue;
    QuadColumn column(s.x.begin() + j * s.n, s.x.begin() + (j + 1) * s.n);
    const Quad whole = dot(column, column);
    for (int round = 0; round < 2; ++round)
      for (const auto& direction : basis) project(direction, column);
    if (dot(column, column) <= Quad(dependent) * Quad(dependent) * whole) continue;
    project(column, left);
    basis.push_back(std::move(column));
  }
  return static_cast<double>(dot(left, left) / 2);
}

/// One column is another one, or the sum of two, but for `apart` times y.
SmallProblem nearly_dependent_problem(std::mt19937_64& rng) {
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 5 + static_cast<Index>(rng() % 9);
  s.p = 3 + static_cast<Index>(rng() % 4);
  s.settings.lambda2 = 0;
  s.settings.intercept = true;
  for (Index i = 0; i < s.n * s.p; ++i) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) s.y.push_back(normal(rng));
  const double apart = std::pow(10.0, -1 - static_cast<double>(rng() % 17));
  const bool sum = rng() % 2 == 0;
  for (Index i = 0; i < s.n; ++i) s.x[2 * s.n + i] = s.x[i] + (sum ? s.x[s.n + i] : 0) + apart * s.y[i];
  return s;
}

TEST(EveryKDependent, no_bound_is_above_the_optimum_where_columns_are_all_but_dependent) {
  std::mt19937_64 rng(8);
  int proved = 0, open = 0;
  for (int instance = 0; instance < 1000; ++instance) {
    const SmallProblem s = nearly_dependent_problem(rng);
    const auto results = every_k(s.dataset(), s.settings);
    std::vector<double> least(static_cast<std::size_t>(s.p) + 1, std::numeric_limits<double>::infinity());
    for (unsigned model = 0; model < 1U << s.p; ++model) {
      double& of_size = least[static_cast<std::size_t>(std::popcount(model))];
      of_size = std::min(of_size, least_squares_in_quad(s, model));
    }
    for (std::size_t k = 0; k < least.size(); ++k) {
      if (k > 0) least[k] = std::min(least[k], least[k - 1]);
      EXPECT_LE(results[k].lower_bound, least[k] * (1 + 1e-12)) << "instance " << instance << ", k " << k;
      const bool is_optimal = results[k].status == Status::Optimal;
      ++(is_optimal ? proved : open);
      if (is_optimal) {
        EXPECT_LE(results[k].objective, least[k] + 1e-8 * least[0]) << "instance " << instance << ", k " << k;
      }
    }
    EXPECT_EQ(results[0].status, Status::Optimal) << "instance " << instance;
  }
  EXPECT_GT(proved, 2000);
  EXPECT_GT(open, 0);
}

TEST(EveryKDependent, what_a_limit_leaves_open_allows_for_rounding) {
  std::mt19937_64 rng(9);
  for (int instance = 0; instance < 300; ++instance) {
    SmallProblem s = nearly_dependent_problem(rng);
    for (Index i = 0; i < s.n; ++i) {
      s.x[s.n + i] = s.x[i];
      s.x[2 * s.n + i] = s.x[i] + std::pow(10.0, -11 - instance % 4) * s.y[i];
    }
    s.settings.node_limit = instance % 3;
    const auto results = every_k(s.dataset(), s.settings);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= s.p; ++k) {
      for (unsigned model = 0; model < 1U << s.p; ++model)
        if (std::popcount(model) == k) least = std::min(least, least_squares_in_quad(s, model));
      EXPECT_LE(results[static_cast<std::size_t>(k)].lower_bound, least * (1 + 1e-12)) << instance << ", k " << k;
    }
  }
}

TEST(EveryKDependent, no_size_is_worse_than_a_smaller_one_and_optimal_means_a_closed_gap) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 rng(seed);
    SmallProblem s = nearly_dependent_problem(rng);
    std::uniform_real_distribution<double> share;
    for (Index i = 0; i < s.n; ++i) {  // shares that add up to 1 but for rounding
      double parts[7], total = 0, sum = 0;
      for (double& part : parts) total += part = share(rng);
      for (const double part : parts) sum += part / total;
      s.x[2 * s.n + i] = 1000.1 * sum;
    }
    const auto results = every_k(s.dataset(), s.settings);
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (k > 0) {
        EXPECT_LE(results[k].objective, results[k - 1].objective) << seed << ", k " << k;
      }
      if (results[k].status == Status::Optimal) {
        EXPECT_LE(results[k].relative_gap, 1e-4) << seed << ", k " << k;
      }
    }
  }
}

TEST(EveryKDependent, exactly_dependent_columns_are_no_obstacle) {
  std::mt19937_64 rng(3);
  for (int instance = 0; instance < 50; ++instance) {
    SmallProblem s = nearly_dependent_problem(rng);
    for (double& x : s.x) x = std::round(64 * x) / 64;
    for (Index i = 0; i < s.n; ++i) s.x[2 * s.n + i] = (3 * s.x[i] - s.x[s.n + i]) / 4;
    for (const bool standardise : {false, true}) {
      s.settings.standardize = standardise;
      const auto results = every_k(s.dataset(), s.settings);
      for (const Result& result : results) {
        if (fits_perfectly(result, results[0])) continue;
        EXPECT_EQ(result.status, Status::Optimal) << "instance " << instance << ", k " << *result.k;
      }
    }
  }
}

TEST(EveryKDependent, a_note_names_the_columns_that_stand_in_the_way) {
  std::mt19937_64 rng(3);
  SmallProblem s = nearly_dependent_problem(rng);
  for (Index i = 0; i < s.n; ++i) s.x[2 * s.n + i] = 1.8 * s.x[i] + 32;
  const auto results = every_k(s.dataset(), s.settings);
  EXPECT_TRUE(results[1].notes.empty());
  EXPECT_NE(results[2].status, Status::Optimal);
  EXPECT_EQ(results[2].lower_bound, 0);
  ASSERT_FALSE(results[2].notes.empty());
  EXPECT_TRUE(results[2].notes.back().starts_with("features 0, 2 are dependent but for rounding"));
}

std::filesystem::path data_folder() {
  const char* const said = std::getenv("ELLZERO_DATA");
  return said != nullptr ? said : ELLZERO_SHARED_DATA;
}

std::string names_of(const Result& result, const io::table::Table& table) {
  std::string names;
  for (const Index j : result.support) names += fmt::format("{}{}", names.empty() ? "" : " ", table.name(j));
  return names;
}

std::vector<Result> models_of(const io::table::Table& table) {
  Settings settings;
  settings.lambda2 = 0;
  return every_k({table.matrix(), table.y}, settings);
}

TEST(EveryKClassic, are_those_of_leaps) {
  const auto folder = data_folder() / "classic";
  std::ifstream list(folder / "best_subsets.csv");
  if (!list)
    GTEST_SKIP() << "no " << folder / "best_subsets.csv"
                 << "; set ELLZERO_DATA";
  std::map<std::string, std::pair<io::table::Table, std::vector<Result>>> known;
  std::string line;
  std::getline(list, line);
  int rows = 0;
  while (std::getline(list, line)) {
    std::istringstream cells(line);
    std::string dataset, n, p, k, rss, names;
    for (std::string* cell : {&dataset, &n, &p, &k, &rss, &names}) std::getline(cells, *cell, ',');
    const std::string name = dataset.substr(0, dataset.find_first_of("( "));
    if (!known.contains(name)) {
      auto table = io::table::read_table((folder / (name + ".csv")).string(), {});
      auto models = models_of(table);
      known.emplace(name, std::pair(std::move(table), std::move(models)));
    }
    const auto& [table, models] = known.at(name);
    ASSERT_EQ(models.size(), std::stoul(p) + 1) << line;
    const Result& model = models[std::stoul(k)];
    EXPECT_EQ(names_of(model, table), names) << line;
    EXPECT_NEAR(2 * model.objective, std::stod(rss), 1e-9 * std::stod(rss)) << line;
    EXPECT_EQ(model.status, Status::Optimal) << line;
    EXPECT_LE(model.relative_gap, 1e-6) << line;
    ++rows;
  }
  EXPECT_GE(rows, 48);
}

TEST(EveryKClassic, longley_has_its_certified_coefficients) {
  const auto path = data_folder() / "classic" / "longley.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path << "; set ELLZERO_DATA";
  const Result full = models_of(io::table::read_table(path.string(), {})).back();
  const std::vector<double> certified = {0.0150618722713733,  -0.0358191792925910, -0.0202022980381683,
                                         -0.0103322686717359, -0.0511041056535807, 1.82915146461355};
  ASSERT_EQ(full.coefficients.size(), certified.size());
  EXPECT_NEAR(full.intercept, -3482.25863459582, 1e-8 * 3482);
  for (std::size_t j = 0; j < certified.size(); ++j)
    EXPECT_NEAR(full.coefficients[j], certified[j], 1e-8 * std::abs(certified[j])) << j;
}

TEST(EveryKClassic, filip_has_its_certified_residual) {
  const auto path = data_folder() / "classic" / "NIST_Filip.dat";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "no " << path << "; set ELLZERO_DATA";
  std::string line;
  std::vector<double> x, y;
  for (bool begun = false; std::getline(file, line);) {
    std::istringstream numbers(line);
    double yi = 0, xi = 0;
    if (begun && numbers >> yi >> xi) {
      y.push_back(yi);
      x.push_back(xi);
    }
    begun = begun || line.starts_with("Data:   ");
  }
  ASSERT_EQ(y.size(), 82U);
  const auto n = static_cast<Index>(y.size());
  std::vector<double> powers;
  for (int power = 1; power <= 10; ++power)
    for (const double xi : x) powers.push_back(std::pow(xi, power));
  Settings settings;
  settings.lambda2 = 0;
  const auto results = every_k({column_major(powers.data(), n, 10), y}, settings);
  ASSERT_EQ(results.size(), 11U);
  EXPECT_EQ(results.back().support.size(), 10U);
  EXPECT_NEAR(2 * results.back().objective, 0.795851382172941e-3, 1e-9);
  EXPECT_NEAR(results.back().coefficients[0], -2772.17959193342, 1e-5 * 2772);
}

SmallProblem larger_problem(Index n, Index p, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = n;
  s.p = p;
  for (Index i = 0; i < n * p; ++i) s.x.push_back(normal(rng) + (i >= n ? 0.5 * s.x[i - n] : 0));
  for (Index i = 0; i < n; ++i) {
    double sum = 3 * normal(rng);
    for (Index j = 0; j < p; j += 2) sum += s.x[j * n + i];
    s.y.push_back(sum);
  }
  s.settings.threads = 1;
  return s;
}

TEST(EveryKLimits, what_is_left_open_is_below_the_truth) {
  for (const double lambda1 : {0.0, 0.1}) {
    SmallProblem s = larger_problem(60, 16, 7);
    s.settings.lambda1 = lambda1;
    const auto truth = every_k(s.dataset(), s.settings);
    for (const Index nodes : {1, 2, 5, 20, 60}) {
      s.settings.node_limit = nodes;
      const auto limited = every_k(s.dataset(), s.settings);
      ASSERT_EQ(limited.size(), truth.size());
      EXPECT_LE(limited[0].nodes, nodes + 1);
      for (std::size_t k = 0; k < truth.size(); ++k) {
        EXPECT_LE(limited[k].lower_bound, truth[k].objective * (1 + 1e-12)) << k;
        EXPECT_GE(limited[k].objective, truth[k].lower_bound) << k;
        EXPECT_TRUE(limited[k].status == Status::NodeLimit || limited[k].status == Status::Optimal) << k;
      }
      if (nodes == 1) {
        EXPECT_EQ(limited[8].status, Status::NodeLimit);
      }
    }
  }
}

TEST(EveryKLimits, an_observer_ends_it_and_the_largest_k_is_heeded) {
  struct Impatient : Observer {
    bool should_stop() override { return true; }
  } impatient;
  SmallProblem s = larger_problem(80, 30, 3);
  s.settings.k = 5;
  const auto results = every_k(s.dataset(), s.settings);
  ASSERT_EQ(results.size(), 6U);
  for (const Result& result : results) EXPECT_EQ(result.status, Status::Optimal);
  const auto ended = every_k(larger_problem(80, 45, 3).dataset(), {}, &impatient);
  EXPECT_EQ(ended[20].status, Status::Interrupted);
  EXPECT_LT(ended[20].lower_bound, ended[20].objective);
}

TEST(EveryKLimits, many_ties_do_not_take_for_ever) {
  SmallProblem s = larger_problem(50, 12, 5);
  for (Index j = 0; j < 12; ++j)  // every column twice
    for (Index i = 0; i < s.n; ++i) s.x.push_back(s.x[j * s.n + i]);
  s.p = 24;
  s.settings.lambda2 = 0;
  const auto results = every_k(s.dataset(), s.settings);
  ASSERT_EQ(results.size(), 25U);
  for (std::size_t k = 12; k < 25; ++k) {
    EXPECT_NEAR(results[k].objective, results[12].objective, 1e-10 * results[12].objective);
    EXPECT_EQ(results[k].support.size(), 12U);
  }
}

TEST(EveryKLimits, a_column_that_others_span_adds_nothing_whatever_its_scale) {
  SmallProblem s = larger_problem(30, 10, 11);
  for (Index i = 0; i < s.n; ++i) {
    s.x[1 * s.n + i] = s.x[i] + 1e-4 * s.x[1 * s.n + i];  // all but the same
    s.x[2 * s.n + i] = s.x[i] - s.x[1 * s.n + i];         // spanned by them, but for roundings 1e4 times as large
  }
  s.settings.lambda2 = 0;
  const auto results = every_k(s.dataset(), s.settings);
  EXPECT_EQ(results[10].support.size(), 9U);
  EXPECT_NEAR(results[10].objective, results[9].objective, 1e-9 * results[9].objective);
  SmallProblem without = s;
  without.x.erase(without.x.begin() + s.n, without.x.begin() + 2 * s.n);
  without.p = 9;
  const auto fewer = every_k(without.dataset(), without.settings);
  EXPECT_NEAR(fewer[9].objective, results[9].objective, 1e-9 * results[9].objective);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_LE(results[k].objective, fewer[k].objective * (1 + 1e-9)) << k;
}

TEST(EveryKRefuses, what_it_cannot_do) {
  SmallProblem s = larger_problem(20, 4, 1);
  const auto refusal = [&](const Settings& settings) -> std::string {
    try {
      (void)every_k(s.dataset(), settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Settings settings;
  settings.lambda0 = 1;
  EXPECT_TRUE(refusal(settings).starts_with("lambda0:"));
  settings.lambda0.reset();
  settings.loss = "logistic";
  EXPECT_TRUE(refusal(settings).starts_with("loss:"));
  settings.loss = "squared";
  settings.k = 5;
  EXPECT_TRUE(refusal(settings).starts_with("k:"));
  s = larger_problem(100, 65, 1);
  EXPECT_TRUE(refusal({}).starts_with("X:"));
}

}  // namespace
}  // namespace ellzero
