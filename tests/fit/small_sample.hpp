// A small problem whose best features are 1 and 4, for the tests of what fit() does with strange input.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ellzero/error.hpp"
#include "ellzero/fit.hpp"
#include "oracle/small_problem.hpp"

namespace ellzero {

inline constexpr const char* all_losses[] = {"squared", "logistic", "smoothed-hinge"};

inline double low_class(const std::string& loss) { return loss == "logistic" ? 0 : -1; }

/// 40 x 6; the classes of a classification overlap a little.
inline oracle::SmallProblem small_sample(const std::string& loss = "squared", std::uint64_t seed = 1) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  oracle::SmallProblem s;
  s.n = 40;
  s.p = 6;
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(normal(rng));
  for (Index i = 0; i < s.n; ++i) {
    const double signal = 3 * s.x[s.n + i] - 2 * s.x[4 * s.n + i];
    s.y.push_back(loss == "squared" ? signal + 0.1 * normal(rng) : signal + 2 * normal(rng) > 0 ? 1 : low_class(loss));
  }
  s.settings.loss = loss;
  s.settings.lambda0 = 0.5;
  s.settings.lambda2 = 0.01;
  s.settings.threads = 1;
  return s;
}

/// A sample without lambda0: the path over a short grid.
inline oracle::SmallProblem path_sample(const std::string& loss, std::uint64_t seed = 1) {
  oracle::SmallProblem s = small_sample(loss, seed);
  s.settings.lambda0.reset();
  s.settings.grid_size = 8;
  s.settings.effort = "quick";
  return s;
}

/// The same with weights, an offset and a row of weight 0.
inline oracle::SmallProblem weighted_sample(const std::string& loss) {
  oracle::SmallProblem s = path_sample(loss);
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  for (Index i = 0; i < s.n; ++i) {
    s.weights.push_back(i == 3 ? 0 : uniform(rng));
    s.offset.push_back(0.1 * uniform(rng));
  }
  return s;
}

inline Result fit_it(const oracle::SmallProblem& s) { return fit(s.dataset(), s.settings); }

inline bool has_note(const Result& result, const std::string& part) {
  return std::any_of(result.notes.begin(), result.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

/// The call must throw an Error of that code whose message holds every part.
template <class Call>
void expect_refused(ErrorCode code, std::initializer_list<std::string> parts, Call&& call) {
  try {
    (void)call();
    ADD_FAILURE() << "accepted; expected: " << *parts.begin();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\nmisses: " << part;
  }
}

}  // namespace ellzero
