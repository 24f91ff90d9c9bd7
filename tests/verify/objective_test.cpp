// verify_objective() and own_lower_bound() against fit() and enumeration: truth passes, every lie is named.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "verify/claims.hpp"

namespace ellzero::testing {
namespace {

std::string refusal(const SmallProblem& s, const Claim& claim) {
  try {
    verify_objective(s.dataset(), s.settings, claim);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Numerical);
    return error.what();
  }
  return "";
}

TEST(VerifyObjective, passes_what_fit_returns_and_its_bound_is_below_the_optimum) {
  std::mt19937_64 rng(1);
  for (int k = 0; k < 400; ++k) {
    SmallProblem s = oracle::random_problem(rng, 6);
    if (k % 3 == 0) {
      s.settings.k = static_cast<Index>(s.settings.always.size()) + (s.p > 1 ? 1 : 0);
      s.settings.lambda0.reset();
      if (*s.settings.k > s.p) continue;
    }
    const Result result = fit(s.dataset(), s.settings);
    const Claim claim = claim_of(result);
    EXPECT_EQ(refusal(s, claim), "") << k;
    const auto optimum = oracle::Enumeration(s).solve();
    EXPECT_LE(own_lower_bound(s.dataset(), s.settings, claim),
              optimum.objective + 1e-9 * (1 + std::abs(optimum.objective)))
        << k;
  }
}

TEST(VerifyObjective, sparse_and_float_data_are_read_as_dense_double_data_is) {
  std::mt19937_64 rng(2);
  for (int k = 0; k < 50; ++k) {
    SmallProblem s = oracle::random_problem(rng, 6);
    for (double& x : s.x) x = static_cast<float>(x);
    const Result result = fit(s.dataset(), s.settings);
    const Claim claim = claim_of(result);
    const double expected = verify_objective(s.dataset(), s.settings, claim);

    const std::vector<float> narrow(s.x.begin(), s.x.end());
    std::vector<std::int32_t> indptr = {0}, rows;
    std::vector<double> values;
    for (Index j = 0; j < s.p; ++j) {
      for (Index i = s.n - 1; i >= 0; --i)  // unsorted, and the first of every column in two halves
        for (int part = 0; part < (i == 0 ? 2 : 1); ++part)
          if (s.x[j * s.n + i] != 0) {
            rows.push_back(static_cast<std::int32_t>(i));
            values.push_back(s.x[j * s.n + i] / (i == 0 ? 2 : 1));
          }
      indptr.push_back(static_cast<std::int32_t>(rows.size()));
    }
    Dataset data = s.dataset();
    data.X = column_major(narrow.data(), s.n, s.p);
    EXPECT_DOUBLE_EQ(verify_objective(data, s.settings, claim), expected);
    data.X = SparseMatrix<double, std::int32_t>{s.n, s.p, indptr, rows, values};
    EXPECT_NEAR(verify_objective(data, s.settings, claim), expected, 1e-13 * (1 + expected));
  }
}

class Lies : public ::testing::Test {
 protected:
  Lies() {
    std::mt19937_64 rng(7);
    do s = oracle::random_problem(rng, 5);
    while (s.settings.loss != "squared" || s.p < 3 || !s.settings.intercept);
    s.settings.lower = {-100};
    s.settings.upper = {100};
    s.settings.lambda0 = 0.01;
    s.settings.always.clear();
    result = fit(s.dataset(), s.settings);
  }
  SmallProblem s;
  Result result;
};

TEST_F(Lies, about_the_objective_or_the_bound_are_named) {
  ASSERT_GE(result.support.size(), 2U);
  ASSERT_EQ(refusal(s, claim_of(result)), "");
  Claim claim = claim_of(result);
  claim.objective *= 1 - 1e-8;
  EXPECT_NE(refusal(s, claim).find("objective: "), std::string::npos);
  claim = claim_of(result);
  claim.lower_bound = claim.objective * (1 + 1e-8);
  EXPECT_NE(refusal(s, claim).find("lower_bound: "), std::string::npos);
}

TEST_F(Lies, about_coefficients_are_named) {
  Result changed = result;
  changed.coefficients[0] *= 1.01;
  EXPECT_NE(refusal(s, claim_of(changed)), "");
  changed = result;
  changed.intercept += 0.01;
  EXPECT_NE(refusal(s, claim_of(changed)), "");
  changed = result;
  changed.coefficients[0] = 101;
  EXPECT_NE(refusal(s, claim_of(changed)).find("between -100 and 100"), std::string::npos);
  changed = result;
  changed.support[0] = s.p;
  EXPECT_NE(refusal(s, claim_of(changed)), "");
  changed = result;
  changed.coefficients.pop_back();
  EXPECT_NE(refusal(s, claim_of(changed)), "");
  s.settings.lambda0.reset();
  s.settings.k = static_cast<Index>(result.support.size()) - 1;
  EXPECT_NE(refusal(s, claim_of(result)).find("expected at most"), std::string::npos);
}

TEST_F(Lies, other_data_has_another_objective) {
  s.y[0] += 0.5;
  EXPECT_NE(refusal(s, claim_of(result)), "");
}

TEST_F(Lies, lambda2_must_be_said) {
  s.settings.lambda2.reset();
  EXPECT_THROW(verify_objective(s.dataset(), s.settings, claim_of(result)), Error);
}

}  // namespace
}  // namespace ellzero::testing
