// Products that are left out change no bound: lazy values of D are those of full sweeps, and radii hold (6.3).
#include "screening/lazy_tau.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/thread_pool.hpp"
#include "features/make_source.hpp"
#include "loss/all.hpp"
#include "problem/dual.hpp"
#include "random_cases.hpp"

namespace ellzero::screening {
namespace {

struct Data {
  Index rows = 210, cols = 150;  // long enough to be worth asking about
  std::vector<double> values, y, weights, offset = std::vector<double>(210, 0.0);

  explicit Data(testing::Draw& draw) {
    for (Index k = 0; k < rows * cols; ++k) values.push_back(draw.uniform(-1, 1));
    for (Index i = 0; i < rows; ++i) {
      y.push_back(draw.chance(0.5) ? 1 : 0);
      weights.push_back(draw.spread(0.1, 10));
    }
  }
  [[nodiscard]] features::View source(core::ThreadPool& pool) const {
    return {features::make_source(column_major(values.data(), rows, cols)), weights, {true, true}, pool};
  }
};

/// A predictor that settles, as a solver's does: step k moves it by about 0.5^k.
void walk(std::vector<double>& u, int k, testing::Draw& draw) {
  for (double& ui : u) ui += std::pow(0.5, k) * draw.uniform(-1, 1);
}

template <class L>
void expect_the_values_of_full_sweeps(const L& loss, double lambda2, testing::Draw& draw, Index& left_out) {
  const Data data(draw);
  core::ThreadPool pool(1);
  const features::View source = data.source(pool);
  const auto box = [&](Index j) { return j % 5 == 0 ? penalty::Box{0, 0.5} : penalty::Box{}; };
  const problem::Problem<L> problem{
      source, loss,         {{0.5, 0.1, lambda2}, data.cols, box, [](Index j) { return j % 7 == 0; }},
      data.y, data.weights, data.offset,
      true};
  LazyTau tau(source, data.weights);
  std::vector<double> u(data.offset);
  for (int k = 0; k < 20; ++k) {
    walk(u, k, draw);
    const auto point = problem::dual_point(problem, u);
    const double full = problem::dual_value(problem, point), lazy = dual_value(problem, point, tau);
    EXPECT_NEAR(lazy, full, 1e-13 * std::abs(full)) << k;
    left_out += static_cast<Index>(tau.left_out().size());
    for (Index j = 0; j < data.cols; ++j) {
      const double exact = source.dot(j, point.alpha(), 0);
      EXPECT_LE(std::abs(tau.tau()[j] - exact), tau.radius(j) + source.dot_error(j) * point.norm()) << k << " " << j;
    }
  }
}

TEST(LazyTau, dual_values_are_those_of_full_sweeps) {
  testing::Draw draw(1);
  Index left_out = 0;
  for (int round = 0; round < 50; ++round) {
    expect_the_values_of_full_sweeps(loss::Squared{}, 0.5, draw, left_out);
    expect_the_values_of_full_sweeps(loss::Logistic{}, 0.5, draw, left_out);
    expect_the_values_of_full_sweeps(loss::Squared{}, 0, draw, left_out);
  }
  EXPECT_GT(left_out, 50 * 20 * 150);  // of three times as many: it is lazy
}

TEST(LazyTau, any_number_of_threads_gives_the_same_bits) {
  for (const int threads : {2, 8}) {
    testing::Draw draw(2);
    const Data data(draw);
    core::ThreadPool one(1), many(threads);
    const features::View a = data.source(one), b = data.source(many);
    LazyTau tau_a(a, data.weights), tau_b(b, data.weights);
    const penalty::Penalty penalty({0.5, 0.1, 0.5});
    std::vector<double> u(data.offset);
    for (int k = 0; k < 20; ++k) {
      walk(u, k, draw);
      const problem::Problem<loss::Squared> pa{a, {}, penalty, data.y, data.weights, data.offset, true};
      const problem::Problem<loss::Squared> pb{b, {}, penalty, data.y, data.weights, data.offset, true};
      const auto point = problem::dual_point(pa, u);
      EXPECT_EQ(dual_value(pa, point, tau_a), dual_value(pb, point, tau_b));
      EXPECT_TRUE(std::equal(tau_a.tau().begin(), tau_a.tau().end(), tau_b.tau().begin()));
    }
  }
}

TEST(LazyTau, an_alpha_that_comes_again_needs_no_product) {
  testing::Draw draw(3);
  const Data data(draw);
  core::ThreadPool pool(1);
  const features::View source = data.source(pool);
  LazyTau tau(source, data.weights);
  const auto all = [](Index, double, double) { return true; };
  const auto sum = [](std::span<const double> v) { return std::accumulate(v.begin(), v.end(), 0.0); };
  const auto first = tau.sweep(data.y, sum(data.y), all, Shown{}).features;
  const auto again = tau.sweep(data.y, sum(data.y), all, Shown{}).features;
  EXPECT_EQ(first, again);
  EXPECT_EQ(tau.sweeps(), 1);
  for (int k = 0; k < 20; ++k) {  // more than are remembered
    auto other = data.y;
    other[0] = 2.0 + k;
    const auto shown = tau.sweep(other, sum(other), all, Shown{}).features;
    ASSERT_EQ(shown.size(), first.size());
    for (const auto& [j, value] : shown) EXPECT_EQ(value, source.dot(j, other, sum(other)));
  }
  EXPECT_EQ(tau.sweeps(), 21);
}

}  // namespace
}  // namespace ellzero::screening
