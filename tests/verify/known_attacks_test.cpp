// False claims that an earlier checker took for right, each in the form in which it was accepted, and their kin.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "verify/claims.hpp"

namespace ellzero::testing {
namespace {

using oracle::inf;

SmallProblem plain_problem(const std::string& loss, std::uint64_t seed = 1) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  SmallProblem s;
  s.n = 20;
  s.p = 4;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) {
    const double signal = s.x[i] - s.x[s.n + i] + normal(rng);
    s.y.push_back(loss == "squared" ? signal : signal > 0 ? 1 : loss == "logistic" ? 0 : -1);
  }
  s.settings.loss = loss;
  s.settings.lambda0 = 0.5;
  s.settings.lambda2 = 0.1;
  s.settings.threads = 1;
  return s;
}

double optimum_of(const SmallProblem& s) {
  return static_cast<double>(oracle::PreciseEnumeration(s).solve().objective);
}

TEST(KnownAttacks, a_repeated_feature_is_refused_with_and_without_a_diagonal) {
  const SmallProblem s = plain_problem("squared");
  const std::vector<Index> all = {0, 1, 2, 3}, twice = {0, 0}, thrice = {1, 1, 1}, falling = {2, 1};
  const std::vector<double> d(4, 0.05), two = {3.0, -3.0}, three = {1.0, 1.0, 1.0};
  ProofCheck check(s.dataset(), s.settings);
  check.on_diagonal(0, all, d);
  for (const std::int64_t diagonal : {-1, 0}) {
    EXPECT_THROW(check.on_point({0, 0, twice, two, {}, {}, false, diagonal}), Error);
    EXPECT_THROW(check.on_point({0, 0, thrice, three, {}, {}, false, diagonal}), Error);
    EXPECT_THROW(check.on_point({0, 0, falling, two, {}, {}, false, diagonal}), Error);
    EXPECT_THROW(check.on_point({0, 0, {}, {}, twice, {}, false, diagonal}), Error);
    EXPECT_THROW(check.on_point({0, 0, {}, {}, {}, twice, false, diagonal}), Error);
  }
  EXPECT_THROW(check.on_diagonal(1, twice, two), Error);
  EXPECT_LE(check.lower_bound(), optimum_of(s));
}

TEST(KnownAttacks, coefficients_beyond_computing_are_refused) {
  for (const std::string loss : {"squared", "logistic", "smoothed-hinge"}) {
    const SmallProblem s = plain_problem(loss);
    const std::vector<Index> support = {0};
    for (const double huge : {1e101, 1e155, 1e200, 1e308, inf, std::nan("")})
      for (const double objective : {inf, 1e308, 1.0, 0.0}) {
        const std::vector<double> large = {huge}, small = {1.0};
        EXPECT_THROW(verify_objective(s.dataset(), s.settings, {objective, 0, 0, support, large}), Error);
        EXPECT_THROW(verify_objective(s.dataset(), s.settings, {objective, 0, huge, support, small}), Error);
        EXPECT_THROW(verify_objective(s.dataset(), s.settings, {objective, 0, -huge, {}, {}}), Error);
      }
  }
}

TEST(KnownAttacks, an_objective_that_is_too_small_is_refused_at_any_mean_of_y) {
  for (const double mean : {0.0, 1e3, 1e8, 1e12, -1e15}) {
    SmallProblem s = plain_problem("squared");
    for (double& y : s.y) y += mean;
    Result result = fit(s.dataset(), s.settings);
    ASSERT_NO_THROW(verify_objective(s.dataset(), s.settings, claim_of(result))) << mean;
    const double honest = result.objective;
    for (const double factor : {0.0, 1 / 17.0, 0.5, 1 - 1e-6, 1 + 1e-6, 2.0}) {
      result.objective = factor * honest;
      result.lower_bound = 0;
      EXPECT_THROW(verify_objective(s.dataset(), s.settings, claim_of(result)), Error) << mean << ' ' << factor;
    }
  }
}

TEST(KnownAttacks, an_objective_that_cannot_be_told_is_not_confirmed) {
  // Large coefficients that cancel but for a row of tiny weight: the objective is known exactly all the same.
  SmallProblem s = plain_problem("squared");
  s.settings.lambda0 = 0;
  s.settings.lambda2 = 0;
  s.weights.assign(s.y.size(), 1.0);
  s.weights[0] = 1e-51;
  for (Index i = 0; i < s.n; ++i) s.x[i] = i == 0 ? 0 : 1;
  const std::vector<Index> support = {0};
  for (const double large : {0x1p76, 0x1p110, 1e99}) {
    const std::vector<double> value = {-large};
    long double truth = 0.5L * 1e-51L * (large - static_cast<long double>(s.y[0])) * (large - s.y[0]);
    for (Index i = 1; i < s.n; ++i) truth += 0.5L * s.y[i] * s.y[i];
    const auto exact = static_cast<double>(truth);
    EXPECT_NO_THROW(verify_objective(s.dataset(), s.settings, {exact, 0, large, support, value})) << large;
    for (const double lie : {0.0, 0.5 * exact, 0.999 * exact, 1.001 * exact, 2 * exact})
      EXPECT_THROW(verify_objective(s.dataset(), s.settings, {lie, 0, large, support, value}), Error) << large;
  }
}

TEST(KnownAttacks, no_sample_hides_what_another_one_costs) {
  SmallProblem s = plain_problem("squared");
  s.settings.lambda0 = 0;
  s.settings.lambda2 = 0;
  for (Index i = 0; i < s.n; ++i) s.x[i] = i == 0 ? 0x1p62 : s.x[i];
  s.y[0] = 0x1p62;  // fitted exactly by the first feature
  const std::vector<Index> support = {0};
  const std::vector<double> one = {1.0};
  long double truth = 0;
  for (Index i = 1; i < s.n; ++i)
    truth += 0.5L * (static_cast<long double>(s.x[i]) - s.y[i]) * (static_cast<long double>(s.x[i]) - s.y[i]);
  const auto exact = static_cast<double>(truth);
  EXPECT_NO_THROW(verify_objective(s.dataset(), s.settings, {exact, 0, 0, support, one}));
  EXPECT_THROW(verify_objective(s.dataset(), s.settings, {0.5 * exact, 0, 0, support, one}), Error);

  s = plain_problem("smoothed-hinge");
  s.weights.assign(s.y.size(), 1.0);
  s.weights[0] = 1e40;
  s.settings.lambda0 = 0;
  const double right = s.y[0] * 2;  // beyond the margin of the heavy sample
  long double loss = 0;
  for (Index i = 1; i < s.n; ++i) loss += oracle::plain_loss<long double>(s.settings, right, s.y[i]);
  const auto known = static_cast<double>(loss);
  EXPECT_NO_THROW(verify_objective(s.dataset(), s.settings, {known, 0, right, {}, {}}));
  EXPECT_THROW(verify_objective(s.dataset(), s.settings, {0.3 * known, 0, right, {}, {}}), Error);
}

TEST(KnownAttacks, a_perfect_fit_has_the_objective_0) {
  SmallProblem s = plain_problem("squared");
  s.settings.lambda0 = 0;
  s.settings.lambda2 = 0;
  for (Index i = 0; i < s.n; ++i) s.y[i] = 3 * s.x[i] + 1;
  const Result result = fit(s.dataset(), s.settings);
  EXPECT_NO_THROW(verify_objective(s.dataset(), s.settings, claim_of(result)));
  EXPECT_LT(result.objective, 1e-25);
}

TEST(KnownAttacks, node_numbers_of_any_kind_take_no_longer) {
  SmallProblem s = plain_problem("squared");
  s.p = 1;
  s.x.resize(static_cast<std::size_t>(s.n));
  ProofCheck check(s.dataset(), s.settings);
  const std::int64_t apart = std::int64_t{85229} * 172933;
  check.on_split(0, 0, apart, 2 * apart);
  EXPECT_EQ(check.nodes(), 3);
  EXPECT_THROW(check.on_split(apart, 0, 3, 4), Error);
}

TEST(KnownAttacks, a_full_budget_needs_no_diagonal_for_what_it_leaves_out) {
  SmallProblem s = plain_problem("squared");
  s.settings.lambda0.reset();
  s.settings.k = 1;
  const std::vector<Index> one = {0};
  const std::vector<double> d = {0.05}, b = {0.5};
  ProofCheck check(s.dataset(), s.settings);
  check.on_diagonal(0, one, d);
  check.on_split(0, 0, 1, 2);
  EXPECT_NO_THROW(check.on_point({1, 0, one, b, {}, {}, true, 0}));
  EXPECT_THROW(check.on_point({2, 0, {}, {}, {}, {}, true, 0}), Error);
}

TEST(KnownAttacks, a_bound_above_the_objective_is_refused) {
  const SmallProblem s = plain_problem("logistic");
  Result result = fit(s.dataset(), s.settings);
  for (const double factor : {1 + 1e-6, 2.0, 1e300}) {
    result.lower_bound = factor * result.objective;
    EXPECT_THROW(verify_objective(s.dataset(), s.settings, claim_of(result)), Error);
  }
  result.lower_bound = std::nan("");
  EXPECT_THROW(verify_objective(s.dataset(), s.settings, claim_of(result)), Error);
}

TEST(KnownAttacks, points_at_the_edge_of_the_numbers_prove_nothing_false) {
  for (const std::string loss : {"squared", "logistic", "smoothed-hinge"})
    for (const bool intercept : {true, false}) {
      SmallProblem s = plain_problem(loss);
      s.settings.intercept = intercept;
      const double truth = optimum_of(s);
      const std::vector<Index> support = {0, 2};
      for (const double edge : {1.7e308, -1.7e308, 1e154, 1e100, 1e99, 1e60, 1e17, 1e-310, -0.0, inf, std::nan("")}) {
        ProofCheck check(s.dataset(), s.settings);
        for (const auto& [b0, b1, b2] : std::vector<std::array<double, 3>>{
                 {edge, 0, 0}, {0, edge, 0}, {0, edge, -edge}, {edge, edge, edge}, {-edge, 1, edge}}) {
          const std::vector<double> values = {b1, b2};
          try {
            check.on_point({0, b0, support, values, {}, {}});
          } catch (const Error&) {
          }
          EXPECT_LE(check.lower_bound(), truth) << loss << ' ' << edge;
        }
      }
    }
}

TEST(KnownAttacks, always_in_features_count_and_are_not_left_out) {
  SmallProblem s = plain_problem("squared");
  s.settings.always = {3};
  const Result result = fit(s.dataset(), s.settings);
  ASSERT_NO_THROW(verify_objective(s.dataset(), s.settings, claim_of(result)));
  Claim without = claim_of(result);
  ASSERT_EQ(without.support.back(), 3);
  without.support = without.support.first(without.support.size() - 1);
  without.coefficients = without.coefficients.first(without.support.size());
  for (const double price : {0.0, 0.5}) {  // whatever its objective is
    s.settings.lambda0 = price;
    without.objective = 0;
    try {
      verify_objective(s.dataset(), s.settings, without);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("always in"), std::string::npos) << error.what();
    }
  }
  s.settings.lambda0.reset();
  s.settings.k = 1;  // feature 3 takes it all
  const std::vector<Index> support = {0, 3};
  const std::vector<double> one_and_none = {1.0, 0.0};
  EXPECT_THROW(verify_objective(s.dataset(), s.settings, {0, 0, 0, support, one_and_none}), Error);
}

TEST(KnownAttacks, more_always_in_features_than_k_prove_nothing) {
  SmallProblem s = plain_problem("squared");
  s.settings.lambda0.reset();
  s.settings.k = 1;
  s.settings.always = {0, 2};
  EXPECT_THROW(ProofCheck(s.dataset(), s.settings), Error);
  s.settings.always = {0, 0};  // one feature, said twice
  ProofCheck check(s.dataset(), s.settings);
  check.on_point({0, 0, {}, {}, {}, {}});
  s.settings.always = {0};
  EXPECT_LE(check.lower_bound(), optimum_of(s));
}

TEST(KnownAttacks, columns_and_targets_out_of_range_are_refused) {
  for (const double scale : {1e-70, 1e-200, 1e-310, 1e70, 1e200}) {
    SmallProblem s = plain_problem("squared");
    for (Index i = 0; i < s.n; ++i) s.x[i] *= scale;
    EXPECT_THROW(ProofCheck(s.dataset(), s.settings), Error) << scale;
    EXPECT_THROW(verify_objective(s.dataset(), s.settings, {0, 0, 0, {}, {}}), Error) << scale;
    s = plain_problem("squared");
    for (double& y : s.y) y *= scale;
    EXPECT_THROW(ProofCheck(s.dataset(), s.settings), Error) << scale;
    s = plain_problem("logistic");
    s.offset.assign(s.y.size(), scale);
    EXPECT_THROW(ProofCheck(s.dataset(), s.settings), Error) << scale;
    s.offset.clear();
    s.weights.assign(s.y.size(), scale);
    EXPECT_THROW(ProofCheck(s.dataset(), s.settings), Error) << scale;
  }
}

TEST(KnownAttacks, honest_results_on_columns_far_from_zero_pass) {
  for (const double mean : {1e3, 1e6, 1e9, 1e11})
    for (const bool standardize : {true, false}) {
      SmallProblem s = plain_problem("squared");
      s.settings.standardize = standardize;
      for (Index i = 0; i < s.n; ++i) s.x[i] += mean;
      ProofCheck check(s.dataset(), s.settings);
      const Result result = prove(s.dataset(), s.settings, nullptr, &check);
      EXPECT_NO_THROW(verify_objective(s.dataset(), s.settings, claim_of(result))) << mean << standardize;
      EXPECT_NO_THROW(check.require(result.lower_bound)) << mean << standardize;
      EXPECT_LE(check.lower_bound(), optimum_of(s) * (1 + 1e-9)) << mean << standardize;
    }
}

TEST(KnownAttacks, a_diagonal_is_judged_by_its_own_rounding_at_any_scale) {
  // The centred column is what is left of a cancellation; its square is beyond the range of doubles.
  const std::vector<std::int32_t> begins = {0, 3}, rows = {0, 1, 2};
  const std::vector<double> entries(3, 9e59), y = {0, 0, 0, 1e-20}, weights = {1e60, 1e60, 1e60, 1e40};
  const Dataset data{SparseMatrix<double, std::int32_t>{4, 1, begins, rows, entries}, y, weights};
  Settings settings;
  settings.lambda0 = 0.01;
  settings.lambda2 = 0;
  settings.standardize = false;
  const double square = 8.1e159;  // of the centred column, weighted: 81e118 1e40 (1 + 1e40 / 3e60)^-1
  const std::vector<Index> feature = {0};
  for (const double factor : {1.001, 2.0, 1e3, 1e4}) {
    ProofCheck check(data, settings);
    const std::vector<double> d = {factor * square};
    EXPECT_THROW(check.on_diagonal(0, feature, d), Error) << factor;
  }
}

TEST(KnownAttacks, half_of_the_smallest_number_is_taken_off_lambda2) {
  // lambda2 is the smallest number there is and d its negative: half of d is no double, and counts all the same, as the
  // coefficient may be 1e100.
  constexpr double smallest = 0x1p-1074, most = 1e100;
  const std::vector<double> y = {1e-60, 0}, x = {0.25e-60 / most, 1e-60};
  const std::vector<double> weights = {16.4 * smallest * most * most / 1e-120, 1e-230};
  Settings settings;
  settings.lambda0 = 0;
  settings.lambda2 = smallest;
  settings.lower = {0};
  settings.upper = {most};
  settings.intercept = settings.standardize = false;
  const Dataset data{column_major(x.data(), 2, 1), y, weights};
  long double at_most = static_cast<long double>(smallest) * most * most;  // the objective of the largest coefficient
  for (std::size_t i = 0; i < y.size(); ++i) {
    const long double rest = y[i] - static_cast<long double>(x[i]) * most;
    at_most += 0.5L * weights[i] * rest * rest;
  }
  const std::vector<Index> feature = {0};
  for (const double share : {0.25, 0.5, 0.75, 1.0}) {
    ProofCheck check(data, settings);
    const std::vector<double> d = {-smallest}, b = {share * most};
    check.on_diagonal(0, feature, d);
    check.on_point({0, 0, feature, b, {}, {}, true, 0});
    EXPECT_LE(check.lower_bound(), static_cast<double>(at_most)) << share;
  }
}

TEST(KnownAttacks, no_sample_hides_what_the_others_cost) {
  const std::vector<double> x = {0, 1, -1, 1}, far = {1e35, 0, 0, 0}, signs = {1, 1, -1, 1}, y = {1e35, 1, 2, 3};
  Settings settings;
  settings.lambda0 = 0.1;
  settings.lambda2 = 0;
  for (const bool hinge : {true, false}) {
    settings.loss = hinge ? "smoothed-hinge" : "squared";
    const Dataset data{column_major(x.data(), 4, 1), hinge ? signs : y, {}, far};
    const double objective = hinge ? 1.5 : 7;
    EXPECT_DOUBLE_EQ(verify_objective(data, settings, {objective, 0, 0, {}, {}}), objective);
    for (const double claimed : {0.0, 1e-5, objective * (1 - 1e-6), objective * (1 + 1e-6), 1e9})
      EXPECT_THROW(verify_objective(data, settings, {claimed, 0, 0, {}, {}}), Error) << hinge << ' ' << claimed;
  }
}

TEST(KnownAttacks, what_is_fitted_to_its_last_digit_is_stated_so) {
  // x b cancels y but for what 2^-100 of it is; what is left counts.
  const std::vector<double> x = {1e35, 1, 2, 3}, y = {1.1e35, 1, 2.5, 3};
  Settings settings;
  settings.lambda0 = 0.1;
  settings.lambda2 = 0;
  for (const bool intercept : {true, false}) {
    settings.intercept = intercept;
    const Dataset data{column_major(x.data(), 4, 1), y};
    const Result result = fit(data, settings);
    ASSERT_EQ(std::ssize(result.support), 1);
    EXPECT_NO_THROW(verify_objective(data, settings, claim_of(result))) << intercept;
  }
}

TEST(KnownAttacks, verdicts_follow_from_points_at_the_root_and_from_nothing_else) {
  std::mt19937_64 rng(5);
  int decided = 0;
  for (int number = 0; number < 200; ++number) {
    SmallProblem s = oracle::random_problem(rng, 6);
    if (number % 3 == 0) {
      s.settings.k = std::min<Index>(s.p, std::max<Index>(std::ssize(s.settings.always), 2));
      s.settings.lambda0.reset();
    }
    ProofCheck check(s.dataset(), s.settings);
    const Result result = prove(s.dataset(), s.settings, nullptr, &check);
    const oracle::PreciseEnumeration enumeration(s);
    const auto best = static_cast<double>(enumeration.solve().objective);
    std::vector<double> with(static_cast<std::size_t>(s.p), inf), without = with;
    enumeration.for_each_support([&](std::uint64_t support, const auto& at) {
      for (Index j = 0; j < s.p; ++j) {
        double& value = ((support >> j & 1) != 0 && at.beta[j] != 0 ? with : without)[j];
        value = std::min(value, static_cast<double>(at.objective));
      }
    });
    for (Index j = 0; j < s.p; ++j) {
      const Verdict verdict = check.verdict(j, result.objective);
      if (std::count(s.settings.always.begin(), s.settings.always.end(), j) > 0) continue;
      decided += verdict != Verdict::Undecided ? 1 : 0;
      if (verdict == Verdict::Always) {
        EXPECT_GT(without[j], best) << number;
      }
      if (verdict == Verdict::Never) {
        EXPECT_GT(with[j], best) << number;
      }
    }
  }
  EXPECT_GT(decided, 100);
}

}  // namespace
}  // namespace ellzero::testing
