// Whether some exchange of a used feature for an unused one, other coefficients fixed, lowers P (5.3): all pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "problem/problem.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::solve {

struct Exchange {
  bool complete = false;  ///< every pair was looked at
  bool pays = false;
  Index out = -1;
  Index in = -1;
  int sweeps = 0;
};

/// Collects the features whose entry could bring P down to `target`, by a bound that is exact for squared loss.
template <class F, class L>
struct PossibleEntries {
  const problem::Problem<F, L>* problem;
  std::span<const char> used;
  double needed;  ///< gain that an entry must bring
  std::vector<Index> features = {};

  void visit(Index j, double tau) {
    const double norm = problem->features.norm(j);
    if (used[j] != 0 || norm == 0) return;
    const auto& coordinate = problem->penalty[j];
    // A convex loss lies above its tangent, so no b gains more than -Psi_j; squared loss knows its curvature as well.
    double gain = coordinate.value(0) - coordinate.psi(tau);
    if constexpr (L::quadratic) {
      const double b = coordinate.hard_step(norm * norm, -tau);
      gain = b == 0 ? 0 : -(tau * b + 0.5 * norm * norm * b * b + coordinate.value(b) - coordinate.value(0));
    }
    if (gain > needed) features.push_back(j);
  }
  void merge(const PossibleEntries& next) {
    features.insert(features.end(), next.features.begin(), next.features.end());
  }
};

/// The lowest P that one more feature can reach from predictor u, by majorised steps in its coefficient.
template <class F, class L>
double best_entry(const problem::Problem<F, L>& problem, std::span<const double> u, double P, Index j) {
  const auto column = problem.features.gather({&j, 1});
  std::vector<double> x(u.size(), 0.0);
  column.axpy(0, 1, x);
  for (double& xi : x) xi -= column.centre(0);
  const auto& coordinate = problem.penalty[j];
  double b = 0, lowest = P;
  std::vector<double> at(u.begin(), u.end());
  double loss_before = 0;
  for (std::size_t i = 0; i < u.size(); ++i) loss_before += problem.weights[i] * problem.loss.value(u[i], problem.y[i]);
  for (int step = 0; step < 100; ++step) {
    double tau = 0, curvature = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      tau += x[i] * problem.weights[i] * problem.loss.derivative(at[i], problem.y[i]);
      curvature += x[i] * x[i] * problem.weights[i] / problem.loss.mu();
    }
    // The majorised step with the jump already paid for: it only descends.
    const double next = problem.penalty.in_model(j).hard_step(curvature, curvature * b - tau);
    for (std::size_t i = 0; i < u.size(); ++i) at[i] = u[i] + next * x[i];
    double loss = 0;
    for (std::size_t i = 0; i < u.size(); ++i) loss += problem.weights[i] * problem.loss.value(at[i], problem.y[i]);
    lowest = std::min(lowest, P + (loss - loss_before) + coordinate.value(next) - coordinate.value(0));
    if (std::abs(next - b) <= 1e-10 * std::abs(next)) break;
    b = next;
  }
  return lowest;
}

template <class F, class L>
Exchange best_exchange(const problem::Problem<F, L>& problem, const Incumbent& at, core::Stop& stop) {
  Exchange result;
  std::vector<char> used(static_cast<std::size_t>(problem.features.cols()), 0);
  for (const Index j : at.beta.support) used[j] = 1;
  const double target = at.objective - 1e-10 * std::abs(at.objective);
  for (std::size_t c = 0; c < at.beta.support.size(); ++c) {
    if (stop.now()) return result;
    const Index out = at.beta.support[c];
    if (problem.penalty.always_in(out)) continue;
    auto without = at.beta;
    without.support.erase(without.support.begin() + static_cast<std::ptrdiff_t>(c));
    without.values.erase(without.values.begin() + static_cast<std::ptrdiff_t>(c));
    const auto u = problem::predictor(problem, without);
    const double P = problem::objective(problem, u, without);
    const auto alpha = problem::gradient(problem, u);
    const PossibleEntries<F, L> start{&problem, used, P - target};
    const auto possible =
        problem.features.sweep(alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), start).features;
    ++result.sweeps;
    for (const Index in : possible) {
      if (stop.now()) return result;
      if (best_entry(problem, u, P, in) < target) {
        result.complete = result.pays = true;
        result.out = out;
        result.in = in;
        return result;
      }
    }
  }
  result.complete = true;
  return result;
}

}  // namespace ellzero::solve
