// prove_chosen(): what a path knew stays where the proof comes to less, and a record proves its own bound only.
#include "ellzero/prove_chosen.hpp"

#include <gtest/gtest.h>

#include "ellzero/path.hpp"
#include "ellzero/prove.hpp"
#include "fit/small_sample.hpp"

namespace ellzero {
namespace {

class NoRecord final : public ProofSink {
  void on_point(const ProofPoint&) override {}
  void on_split(std::int64_t, Index, std::int64_t, std::int64_t) override {}
  void on_diagonal(std::int64_t, std::span<const Index>, std::span<const double>) override {}
};

/// A model of a path that claims more than any proof of one node finds.
Result known_model(const oracle::SmallProblem& s) {
  Result known = prove(s.dataset(), s.settings);
  known.objective -= 1e-6 * known.objective;  // by coefficients that prove() does not come to
  known.lower_bound = known.objective;
  known.intercept += 1;
  return known;
}

TEST(ProveChosen, keeps_the_better_solution_and_the_better_bound) {
  for (const auto* loss : all_losses) {
    auto s = small_sample(loss);
    const Result known = known_model(s);
    s.settings.lambda0.reset();
    const Result proved = prove_chosen(s.dataset(), s.settings, known);
    EXPECT_EQ(proved.objective, known.objective);
    EXPECT_EQ(proved.intercept, known.intercept);
    EXPECT_EQ(proved.lower_bound, known.lower_bound);
    EXPECT_EQ(proved.gap, 0);
    EXPECT_EQ(proved.status, Status::Optimal);
    EXPECT_EQ(proved.lambda0, known.lambda0);
  }
}

TEST(ProveChosen, leaves_a_recorded_bound_alone) {
  auto s = small_sample();
  NoRecord record;
  const Result recorded = prove(s.dataset(), s.settings, nullptr, &record);
  Result known = recorded;
  known.lower_bound = known.objective;
  ASSERT_LT(recorded.lower_bound, known.lower_bound);
  EXPECT_EQ(prove_chosen(s.dataset(), s.settings, known, nullptr, &record).lower_bound, recorded.lower_bound);
}

TEST(ProveChosen, is_the_proof_where_the_path_knew_less) {
  auto s = small_sample();
  const Result proof = prove(s.dataset(), s.settings);
  Result known = proof;
  known.objective *= 1.5;
  known.lower_bound = 0;
  known.support.clear();
  known.coefficients.clear();
  const Result proved = prove_chosen(s.dataset(), s.settings, known);
  EXPECT_EQ(proved.objective, proof.objective);
  EXPECT_EQ(proved.lower_bound, proof.lower_bound);
  EXPECT_EQ(proved.support, proof.support);
  EXPECT_EQ(proved.relative_gap, proof.relative_gap);
}

TEST(ProveChosen, asks_for_one_model_of_the_path) {
  auto s = small_sample();
  s.settings.lambda0.reset();
  s.settings.lambda0_grid = {8, 4, 2};
  s.settings.lambda2_grid = {1, 0.1};
  const Path models = path(s.dataset(), s.settings);
  const Settings one = settings_of(models.models[4], s.settings);
  EXPECT_EQ(one.lambda0, 4);
  EXPECT_EQ(one.lambda2, 0.1);
  EXPECT_TRUE(one.lambda0_grid.empty() && one.lambda2_grid.empty());
  EXPECT_FALSE(one.k);
}

}  // namespace
}  // namespace ellzero
