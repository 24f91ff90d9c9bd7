// Attacks the checker: proofs and claims are made, changed, and handed in; nothing above the enumerated optimum may
// pass.
//
// ELLZERO_MUTANTS says how many changed proofs are tried (5,000); `make fuzz` tries 100,000.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

#include "io/model/fingerprint.hpp"
#include "io/proof/proof_file.hpp"
#include "io/proof/proof_format.hpp"
#include "oracle/hard_problem.hpp"
#include "verify/claims.hpp"
#include "verify/mutator.hpp"
#include "verify/records.hpp"

namespace ellzero::testing {
namespace {

using oracle::inf;

int mutants() {
  const char* said = std::getenv("ELLZERO_MUTANTS");
  return said != nullptr ? std::atoi(said) : 5000;
}

/// Means far above the spread, in columns, targets and offset. False where coefficients in double no longer say to nine
/// digits which dual vector is meant: without an intercept a column's mean counts, and so does that of a classifier's
/// offset.
bool move_far_away(SmallProblem& s, std::mt19937_64& rng) {
  const auto far = [&] { return std::pow(10, 3 + static_cast<double>(rng() % 7)); };
  const bool columns = rng() % 2 == 0, targets = s.settings.loss == "squared" && rng() % 2 == 0,
             offset = rng() % 4 == 0;
  if (columns)
    for (Index j = 0; j < s.p; ++j)
      for (double mean = far(); double& x : std::span(s.x).subspan(static_cast<std::size_t>(j * s.n), s.n)) x += mean;
  if (targets)
    for (double mean = far(); double& y : s.y) y += mean;
  if (offset) {
    if (s.offset.empty()) s.offset.assign(s.y.size(), 0.0);
    for (double mean = far(); double& o : s.offset) o += mean;
  }
  return s.settings.intercept ? s.settings.loss == "squared" || !offset : !(columns || targets || offset);
}

struct Attacked {
  SmallProblem problem;
  bool can_be_stated = true;
};

Attacked some_problem(std::mt19937_64& rng, int number) {
  SmallProblem s = number % 3 == 0 ? oracle::hard_problem(rng, 6) : oracle::random_problem(rng, 6);
  if (number % 4 == 0) {
    s.settings.k = std::min<Index>(s.p, std::max<Index>(std::ssize(s.settings.always), 1 + number % 3));
    s.settings.lambda0.reset();
  }
  const bool can_be_stated = number % 7 != 0 || move_far_away(s, rng);
  if (number % 5 == 0) s.settings.lambda2 = 0;  // a diagonal where columns allow it, the domain of (3.8) elsewhere
  s.settings.gap = 1e-7;
  return {s, can_be_stated};
}

/// What the whole of a changed proof is found to prove; -inf where it is refused.
double found_bound(const SmallProblem& s, const std::vector<Record>& list, std::string* reason = nullptr) {
  try {
    ProofCheck check(s.dataset(), s.settings);
    Records changed;
    changed.list = list;
    changed.replay(check);
    return check.lower_bound();
  } catch (const Error& error) {
    if (reason != nullptr) *reason = error.what();
    return -inf;
  }
}

TEST(Attack, no_changed_proof_proves_more_than_the_truth) {
  std::mt19937_64 rng(20);
  int accepted = 0, refused = 0, honest = 0;
  const int most = mutants(), each = 40;
  for (int number = 0; accepted + refused < most; ++number) {
    const auto [s, can_be_stated] = some_problem(rng, number);
    Records records;
    const Result result = prove(s.dataset(), s.settings, nullptr, &records);
    const auto truth = static_cast<double>(oracle::PreciseEnumeration(s).solve().objective);
    const double most_allowed = truth + 1e-9 * std::abs(truth);
    std::string reason;
    const double whole = found_bound(s, records.list, &reason);
    EXPECT_LE(whole, most_allowed) << number;
    if (can_be_stated) {
      EXPECT_GE(whole, result.lower_bound - 1e-9 * std::abs(result.lower_bound))
          << number << ' ' << s.settings.loss << ", lambda1 " << s.settings.lambda1 << ", lambda2 "
          << *s.settings.lambda2 << ' ' << reason;
    }
    ++honest;
    for (int k = 0; k < each && accepted + refused < most; ++k) {
      auto list = records.list;
      Mutator(rng, s.p).change(list);
      const double bound = found_bound(s, list);
      (bound == -inf ? refused : accepted) += 1;
      ASSERT_LE(bound, most_allowed) << "problem " << number << ", mutant " << k << ", " << s.settings.loss;
    }
  }
  EXPECT_GT(honest, most / each - 1);
  EXPECT_GT(accepted, most / 10);
  EXPECT_GT(refused, most / 10);
}

/// Any bytes, with a checksum that fits.
TEST(Attack, no_changed_file_proves_more_than_the_truth) {
  std::mt19937_64 rng(21);
  const auto path = std::filesystem::temp_directory_path() / ("ellzero_attack_" + std::to_string(::getpid()));
  int accepted = 0, refused = 0;
  const int most = mutants() / 2;
  for (int number = 0; accepted + refused < most; ++number) {
    const SmallProblem s = some_problem(rng, number).problem;
    const auto mark = io::model::fingerprint(s.dataset());
    const auto truth = static_cast<double>(oracle::PreciseEnumeration(s).solve().objective);
    io::proof::ProofWriter writer(path, mark);
    const Result result = prove(s.dataset(), s.settings, nullptr, &writer);
    writer.finish(result.objective, result.lower_bound);
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (int k = 0; k < 40 && accepted + refused < most; ++k) {
      std::string changed = bytes.substr(0, bytes.size() - 8);
      const int changes = 1 + static_cast<int>(rng() % 3);
      for (int c = 0; c < changes; ++c) changed[8 + rng() % (changed.size() - 8)] = static_cast<char>(rng());
      std::uint64_t sum = io::proof::checksum(changed, io::proof::checksum_start);
      for (int b = 0; b < 8; ++b, sum >>= 8) changed += static_cast<char>(sum);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
      double bound = -inf;
      try {
        ProofCheck check(s.dataset(), s.settings);
        const auto end = io::proof::read_proof(path, mark, check);
        if (end.lower_bound != -inf) check.require(end.lower_bound);
        bound = std::max(check.lower_bound(), end.lower_bound);
      } catch (const Error&) {
      }
      (bound == -inf ? refused : accepted) += 1;
      ASSERT_LE(bound, truth + 2e-9 * std::abs(truth)) << "problem " << number << ", mutant " << k;
    }
  }
  std::filesystem::remove(path);
  EXPECT_GT(accepted, most / 20);
  EXPECT_GT(refused, most / 20);
}

struct Truth {
  long double objective = 0;
  long double error = 0;  ///< what long double may have lost where terms cancel
};

/// P of coefficients in the user's units, straight from (1.1).
Truth plain_objective(const SmallProblem& s, const Claim& claim) {
  const oracle::PreciseEnumeration units(s);
  std::vector<bool> in(static_cast<std::size_t>(s.p), false);
  for (const Index j : s.settings.always) in[j] = true;
  Truth truth;
  for (std::size_t c = 0; c < claim.support.size(); ++c) {
    const double value = claim.coefficients[c];
    if (value == 0) continue;
    const long double b = value / units.scale(claim.support[c]);
    in[claim.support[c]] = true;
    truth.objective += s.settings.lambda1 * std::abs(b) + *s.settings.lambda2 * b * b;
  }
  truth.objective += s.settings.lambda0.value_or(0) * static_cast<long double>(std::count(in.begin(), in.end(), true));
  for (Index i = 0; i < s.n; ++i) {
    const auto terms = [&](auto add) {
      add(claim.intercept);
      add(s.offset.empty() ? 0 : s.offset[i]);
      for (std::size_t c = 0; c < claim.support.size(); ++c)
        add(static_cast<long double>(claim.coefficients[c]) * s.x[claim.support[c] * s.n + i]);
    };
    long double u = 0, size = 1 + std::abs(s.y[i]);
    terms([&](long double term) {
      u += term;
      size += std::abs(term);
    });
    const long double weight = s.weights.empty() ? 1 : s.weights[i], off = 1e-18L * size;
    const long double loss = oracle::plain_loss(s.settings, u, static_cast<long double>(s.y[i]));
    truth.objective += weight * loss;
    truth.error += weight * (10 * off * (std::sqrt(loss) + off));
  }
  return truth;
}

TEST(Attack, no_false_objective_passes) {
  std::mt19937_64 rng(22);
  int accepted = 0, refused = 0;
  const int most = mutants() / 2;
  for (int number = 0; accepted + refused < most; ++number) {
    const SmallProblem s = some_problem(rng, number).problem;
    const Result result = fit(s.dataset(), s.settings);
    for (int k = 0; k < 20 && accepted + refused < most; ++k) {
      Mutator mutator(rng, s.p);
      auto coefficients = result.coefficients;
      auto support = result.support;
      Claim claim = claim_of(result);
      switch (rng() % 5) {
        case 0:
          claim.objective = mutator.other(claim.objective);
          break;
        case 1:
          claim.intercept = mutator.other(claim.intercept);
          break;
        case 2:
          if (!coefficients.empty()) coefficients[0] = mutator.other(coefficients[0]);
          break;
        case 3:
          if (!coefficients.empty()) {
            coefficients.pop_back();
            support.pop_back();
          }
          break;
        default:
          break;
      }
      claim.coefficients = coefficients;
      claim.support = support;
      try {
        verify_objective(s.dataset(), s.settings, claim);
      } catch (const Error&) {
        ++refused;
        continue;
      }
      ++accepted;
      const Truth truth = plain_objective(s, claim);
      const long double known = 1e-300L + 1e-9L * std::abs(truth.objective) + truth.error;
      ASSERT_LE(std::abs(truth.objective - claim.objective), 1.1L * known) << number << ", " << s.settings.loss;
      EXPECT_LE(std::count_if(coefficients.begin(), coefficients.end(), [](double b) { return b != 0; }),
                s.settings.k.value_or(s.p));
    }
  }
  EXPECT_GT(accepted, most / 10);
  EXPECT_GT(refused, most / 10);
}

/// Whatever answers, its objective is that of its coefficients.
TEST(Attack, results_of_every_kind_are_found_to_be_honest) {
  std::mt19937_64 rng(23);
  int checked = 0;
  for (int number = 0; number < 60; ++number) {
    const SmallProblem s = some_problem(rng, number).problem;
    SCOPED_TRACE(number);
    const auto expect_honest = [&](const Result& result, bool of_all_supports = true) {
      Settings settings = s.settings;
      settings.k = result.k;
      settings.lambda0 = result.lambda0;
      settings.lambda1 = result.lambda1;
      settings.lambda2 = result.lambda2;
      EXPECT_NO_THROW(verify_objective(s.dataset(), settings, claim_of(result)));
      ++checked;
      if (!of_all_supports) return;
      SmallProblem same = s;
      same.settings = settings;
      const auto truth = static_cast<double>(oracle::PreciseEnumeration(same).solve().objective);
      EXPECT_LE(result.lower_bound, truth + 1e-9 * std::abs(truth));
    };
    Settings settings = s.settings;
    settings.lambda0.reset();
    for (const Result& result : path(s.dataset(), settings).models) expect_honest(result);
    if (s.settings.lambda0)
      for (const Result& result : pool(s.dataset(), s.settings, {0.1, 5}).models) expect_honest(result, false);
    settings.k.reset();
    if (s.settings.loss == "squared" && s.settings.lower.empty() && s.settings.upper.empty())
      for (const Result& result : every_k(s.dataset(), settings)) expect_honest(result);
  }
  EXPECT_GT(checked, 150);
}

}  // namespace
}  // namespace ellzero::testing
