// Laws of prove() that users count on: the same bits for any threads, the same optimum for any order of columns, and
// limits that are kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "ellzero/prove.hpp"

namespace ellzero {
namespace {

/// Features that look alike, so that a proof takes several rounds of subtrees.
struct Alike {
  Index n = 40, p = 30;
  std::vector<double> x, y;
  Settings settings;

  explicit Alike(const std::string& loss, std::uint64_t seed = 1) {
    std::mt19937_64 rng(seed);
    std::normal_distribution<double> normal;
    x.resize(static_cast<std::size_t>(n * p));
    for (Index i = 0; i < n; ++i) {
      const double common = normal(rng);
      double signal = 2 * normal(rng);
      for (Index j = 0; j < p; ++j) {
        x[j * n + i] = 0.7 * common + normal(rng);
        if (j % 3 == 0) signal += 0.6 * (j % 2 == 0 ? 1 : -1) * x[j * n + i];
      }
      const double low = loss == "logistic" ? 0 : -1;
      y.push_back(loss == "squared" ? signal : signal > 0 ? 1 : low);
    }
    settings.loss = loss;
    settings.lambda0 = loss == "squared" ? 1.5 : 0.25;
    settings.lambda2 = loss == "squared" ? 0.2 : loss == "logistic" ? 0.03 : 0.1;
    settings.standardize = false;
    settings.threads = 1;
    settings.gap = 1e-6;
  }
  [[nodiscard]] Result prove_it() const { return prove({column_major(x.data(), n, p), y}, settings); }
};

class ProveLaws : public ::testing::TestWithParam<const char*> {};

TEST_P(ProveLaws, same_bits_for_any_number_of_threads) {
  Alike problem(GetParam());
  const Result one = problem.prove_it();
  EXPECT_GT(one.nodes, 200);  // more than one subtree
  for (const int threads : {2, 8}) {
    problem.settings.threads = threads;
    const Result many = problem.prove_it();
    EXPECT_EQ(many.objective, one.objective);
    EXPECT_EQ(many.lower_bound, one.lower_bound);
    EXPECT_EQ(many.nodes, one.nodes);
    EXPECT_EQ(many.support, one.support);
    EXPECT_EQ(many.coefficients, one.coefficients);
    EXPECT_EQ(many.intercept, one.intercept);
  }
}

TEST_P(ProveLaws, same_optimum_for_any_order_of_columns) {
  const Alike problem(GetParam(), 2);
  const Result plain = problem.prove_it();
  ASSERT_EQ(plain.status, Status::Optimal);
  std::mt19937_64 rng(7);
  for (int k = 0; k < 4; ++k) {
    std::vector<Index> order(static_cast<std::size_t>(problem.p));
    std::iota(order.begin(), order.end(), Index{0});
    std::shuffle(order.begin(), order.end(), rng);
    Alike other = problem;
    for (Index j = 0; j < problem.p; ++j)
      std::copy_n(problem.x.begin() + order[j] * problem.n, problem.n, other.x.begin() + j * problem.n);
    const Result result = other.prove_it();
    ASSERT_EQ(result.status, Status::Optimal);
    EXPECT_NEAR(result.objective, plain.objective, 1e-6 * plain.objective);
    std::vector<Index> support;
    for (const Index j : result.support) support.push_back(order[j]);
    std::sort(support.begin(), support.end());
    EXPECT_EQ(support, plain.support);
  }
}

/// A branching may solve both of its children more than once; that much may come on top.
TEST_P(ProveLaws, node_limits_are_kept) {
  constexpr Index one_branching = 8, subtrees = 8;
  Alike problem(GetParam(), 3);
  const Result whole = problem.prove_it();
  for (const Index limit : {0, 1, 5, 20, 50, 130, 250}) {
    problem.settings.node_limit = limit;
    const Result result = problem.prove_it();
    EXPECT_LE(result.nodes, limit + one_branching * std::clamp<Index>(limit / 20, 1, subtrees)) << limit;
    EXPECT_LE(result.lower_bound, whole.objective * (1 + 1e-12)) << limit;
    EXPECT_GE(result.objective, whole.lower_bound) << limit;
    if (result.nodes < whole.nodes) {
      EXPECT_EQ(result.status, Status::NodeLimit) << limit;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(losses, ProveLaws, ::testing::Values("squared", "logistic", "smoothed-hinge"),
                         [](const auto& name) {
                           std::string text = name.param;
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

}  // namespace
}  // namespace ellzero
