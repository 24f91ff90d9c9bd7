// The exact line search is exact: no step of a fine grid is better, whatever pieces it crosses.
#include "solve/line_search.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ellzero::solve {
namespace {

using penalty::Coordinate;

TEST(LineSearch, no_step_of_a_grid_is_better) {
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  for (int instance = 0; instance < 2000; ++instance) {
    const int count = 1 + instance % 6;
    std::vector<Coordinate> penalties;
    std::vector<double> b, d, breaks;
    double slope = 0;
    for (int c = 0; c < count; ++c) {
      const bool in = uniform(rng) < 0.5;  // no jump: sign changes are the only breaks
      penalties.emplace_back(penalty::Lambdas{uniform(rng), uniform(rng) < 0.5 ? 0 : uniform(rng), 0.1 + uniform(rng)},
                             penalty::Box{}, in);
      b.push_back(normal(rng));
      d.push_back(normal(rng));
      slope += normal(rng);
    }
    std::vector<const Coordinate*> phi;
    phi.reserve(penalties.size());
    for (const auto& p : penalties) phi.push_back(&p);
    const double curvature = uniform(rng);
    const auto value = [&](double t) {
      double total = slope * t + 0.5 * curvature * t * t;
      for (int c = 0; c < count; ++c) total += phi[c]->relaxation(b[c] + t * d[c]);
      return total;
    };
    const double found = value(exact_line_search(slope, curvature, phi, b, d, breaks));
    for (double t = 0; t <= 8; t += 0.005)
      ASSERT_LE(found, value(t) + 1e-11 * (1 + std::abs(found))) << "instance " << instance << ", t = " << t;
  }
}

}  // namespace
}  // namespace ellzero::solve
