// Always-in features count in k whatever their coefficients are: everything that keeps to a budget, against the truth
// by enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/every_k.hpp"
#include "ellzero/fit.hpp"
#include "ellzero/path.hpp"
#include "ellzero/pool.hpp"
#include "ellzero/prove.hpp"
#include "ellzero/verify.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {
namespace {

using oracle::SmallProblem;

/// Many always-in features end at 0: by their bounds, by lambda1, as copies of others, or as constants.
SmallProblem random_problem(std::mt19937_64& rng) {
  SmallProblem s;
  do s = oracle::random_problem(rng, 7);
  while (s.p < 3);
  const auto draw = [&](Index below) { return static_cast<Index>(rng() % static_cast<std::uint64_t>(below)); };
  const auto coin = [&] { return rng() % 2 == 0; };
  std::vector<Index> order(static_cast<std::size_t>(s.p));
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.end(), rng);
  s.settings.always.assign(order.begin(), order.begin() + 1 + draw(std::min<Index>(3, s.p - 1)));
  const Index first = s.settings.always[0];
  const auto column = [&](Index j) { return s.x.begin() + j * s.n; };
  if (draw(3) == 0) std::copy_n(column(first), s.n, column(order.back()));  // a copy that is not always in
  if (draw(8) == 0) std::fill_n(column(first), s.n, 1.5);
  if (coin()) {
    s.settings.lower.assign(order.size(), coin() ? -oracle::inf : -1.5);
    s.settings.upper.assign(order.size(), coin() ? oracle::inf : 1.5);
    for (const Index j : s.settings.always) {
      if (draw(4) != 0) s.settings.lower[static_cast<std::size_t>(j)] = 0;
      if (draw(4) != 0) s.settings.upper[static_cast<std::size_t>(j)] = 0;
    }
  }
  const auto least = static_cast<Index>(s.settings.always.size());
  s.settings.k = coin() ? s.p - 1 : least + draw(s.p - least + 1);  // where it hardly binds, a miscount shows most
  s.settings.lambda0.reset();
  if (draw(4) != 0) s.settings.lambda2 = *s.settings.lambda2 + 0.05;
  if (draw(4) == 0) {  // much ridge: one dual point decides about every feature, whatever k is
    s.settings.standardize = false;
    s.settings.lambda1 = 0;
    s.settings.lambda2 = 1e4;
  }
  return s;
}

/// The least objective of at most 0, 1, ... p features, always-in ones counted; infinite where there is none.
struct LeastPerSize {
  std::vector<double> least;
  bool converged = true;
  bool binding = false;  ///< more features would be better, and some always-in one is at 0

  explicit LeastPerSize(SmallProblem s) : least(static_cast<std::size_t>(s.p) + 1, oracle::inf) {
    const Index k = *s.settings.k;
    s.settings.k.reset();
    std::vector<double> best;
    oracle::Enumeration(s).for_each_support([&](std::uint64_t support, const auto& at) {
      const auto size = static_cast<std::size_t>(std::popcount(support));
      if (static_cast<Index>(size) <= k && at.objective < least_up_to(k)) best = at.beta;
      least[size] = std::min(least[size], at.objective);
      converged = at.converged;
    });
    for (std::size_t size = 1; size < least.size(); ++size) least[size] = std::min(least[size], least[size - 1]);
    binding = least.back() < 0.999 * least_up_to(k) &&
              std::any_of(s.settings.always.begin(), s.settings.always.end(), [&](Index j) { return best[j] == 0; });
  }

  [[nodiscard]] double least_up_to(Index k) const { return *std::min_element(least.begin(), least.begin() + k + 1); }
};

/// What holds of any model with a budget, however it was found.
void check_model(SmallProblem s, const Result& model, const LeastPerSize& truth, const std::string& where) {
  ASSERT_TRUE(model.k.has_value()) << where;
  const Index k = *model.k;
  std::set<Index> in(s.settings.always.begin(), s.settings.always.end());
  for (std::size_t c = 0; c < model.support.size(); ++c)
    if (model.coefficients[c] != 0) in.insert(model.support[c]);
  EXPECT_LE(std::ssize(in), k) << where;
  const double optimum = truth.least_up_to(k), slack = 1e-9 * (1 + std::abs(optimum));
  EXPECT_LE(model.lower_bound, optimum + slack) << where;
  if (truth.converged) {
    EXPECT_GE(model.objective, optimum - slack) << where;
  }
  s.settings.k = k;
  const Claim claim{model.objective, model.lower_bound, model.intercept, model.support, model.coefficients};
  EXPECT_NO_THROW(verify_objective(s.dataset(), s.settings, claim)) << where;
}

void check_proof(const SmallProblem& s, const LeastPerSize& truth, bool records, const std::string& where) {
  ProofCheck proof(s.dataset(), s.settings);
  const Result result = prove(s.dataset(), s.settings, nullptr, records ? &proof : nullptr);
  check_model(s, result, truth, where);
  if (records) {
    EXPECT_NO_THROW(proof.require(result.lower_bound)) << where;
  }
  if (!truth.converged || *s.settings.lambda2 == 0) return;
  EXPECT_EQ(result.status, Status::Optimal) << where;
  const double optimum = truth.least_up_to(*s.settings.k);
  EXPECT_LE(result.objective, optimum + 2e-7 * std::abs(optimum) + 1e-9) << where;
}

void check_pool(const SmallProblem& s, const LeastPerSize& truth, const std::string& where) {
  const auto found = pool(s.dataset(), s.settings, {0.05, 20});
  ASSERT_FALSE(found.models.empty()) << where;
  for (const Result& model : found.models) {
    Result alone = model;
    alone.lower_bound = found.models[0].lower_bound;  // its own is that of its support
    check_model(s, alone, truth, where);
  }
}

void check_method(SmallProblem s, const LeastPerSize& truth, const std::string& where) {
  s.settings.method = "dual-iht";
  s.settings.max_iterations = 500;
  check_model(s, fit(s.dataset(), s.settings), truth, where);
}

class AlwaysIn : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(AlwaysIn, counts_in_k_whatever_its_coefficient_is) {
  std::mt19937_64 rng(GetParam());
  int binding = 0;
  for (int round = 0; round < 100; ++round) {
    SmallProblem s = random_problem(rng);
    const std::string where = fmt::format("seed {}, instance {}, {}, k {}, {} always in: ", GetParam(), round,
                                          s.settings.loss, *s.settings.k, s.settings.always.size());
    const LeastPerSize truth(s);
    binding += truth.binding ? 1 : 0;
    s.settings.gap = round % 3 == 0 ? 0 : 1e-7;
    s.settings.node_limit = 20000;
    check_model(s, fit(s.dataset(), s.settings), truth, where + "fit");
    check_proof(s, truth, round % 2 == 0, where + "prove");
    for (const Result& model : path(s.dataset(), s.settings).models) check_model(s, model, truth, where + "path");
    check_pool(s, truth, where + "pool");
    if (*s.settings.lambda2 > 0) check_method(s, truth, where + "dual-iht");
    if (s.settings.loss != "squared") continue;
    for (const Result& model : every_k(s.dataset(), s.settings)) check_model(s, model, truth, where + "every k");
  }
  EXPECT_GT(binding, 10);
}

INSTANTIATE_TEST_SUITE_P(random, AlwaysIn, ::testing::Range<std::uint64_t>(0, 5));

}  // namespace
}  // namespace ellzero
