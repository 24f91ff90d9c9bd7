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

/// A used feature leaves: what that does to alpha, and the gain an entry must bring to make up for it.
struct Departure {
  Index out;
  problem::Coefficients beta;  ///< without it
  double needed;
  std::vector<double> change;  ///< of alpha
  double sum = 0;              ///< of that change
  double length = 0;           ///< |change / sqrt(w)|: x_j' change is at most |sqrt(w) x_j| times it
};

template <class F, class L>
Departure departure(const problem::Problem<F, L>& problem, const Incumbent& at, std::span<const double> alpha,
                    std::size_t slot, double target) {
  Departure result{at.beta.support[slot], at.beta, 0, {}};
  result.beta.support.erase(result.beta.support.begin() + static_cast<std::ptrdiff_t>(slot));
  result.beta.values.erase(result.beta.values.begin() + static_cast<std::ptrdiff_t>(slot));
  const auto u = problem::predictor(problem, result.beta);
  result.needed = problem::objective(problem, u, result.beta) - target;
  result.change = problem::gradient(problem, u);
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    result.change[i] -= alpha[i];
    result.sum += result.change[i];
    result.length += result.change[i] * result.change[i] / problem.weights[i];
  }
  result.length = std::sqrt(result.length);
  return result;
}

/// No entry of feature j at this tau gains more: a convex loss lies above its tangent, so no b gains more than -Psi_j;
/// squared loss knows its curvature as well, and the figure is exact.
template <class F, class L>
double most_gain(const problem::Problem<F, L>& problem, Index j, double tau) {
  const auto& coordinate = problem.penalty[j];
  if constexpr (!L::quadratic) return coordinate.value(0) - coordinate.psi(tau);
  const double lipschitz = problem.features.norm(j) * problem.features.norm(j);
  const double b = coordinate.hard_step(lipschitz, -tau);
  return b == 0 ? 0 : -(tau * b + 0.5 * lipschitz * b * b + coordinate.value(b) - coordinate.value(0));
}

/// The lowest P that one more feature can reach from beta, by majorised steps in its coefficient.
template <class F, class L>
double best_entry(const problem::Problem<F, L>& problem, const problem::Coefficients& beta, Index j) {
  const auto u = problem::predictor(problem, beta);
  const double P = problem::objective(problem, u, beta);
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

/// One sweep for tau at the incumbent; then the columns that some departure could make worth while, by the bound on how
/// far tau can move, are gathered block by block and multiplied with all departures of a group at once.
template <class F, class L>
Exchange best_exchange(const problem::Problem<F, L>& problem, const Incumbent& at, core::Stop& stop) {
  Exchange result;
  constexpr std::size_t group = 64, block = 256;
  const Index p = problem.features.cols();
  std::vector<char> used(static_cast<std::size_t>(p), 0);
  for (const Index j : at.beta.support) used[j] = 1;
  const double target = at.objective - 1e-10 * std::abs(at.objective);
  const auto alpha = problem::gradient(problem, at.u);
  std::vector<double> tau(static_cast<std::size_t>(p));
  (void)problem.features.sweep(alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), features::StoreAll{tau});
  result.sweeps = 1;
  const auto possible = [&](const Departure& d, Index j) {
    const double reach = d.length * problem.features.norm(j) * (1 + 1e-9);
    return std::max(most_gain(problem, j, tau[j] - reach), most_gain(problem, j, tau[j] + reach)) > d.needed;
  };
  for (std::size_t first = 0; first < at.beta.support.size(); first += group) {
    std::vector<Departure> departures;
    for (std::size_t slot = first; slot < std::min(first + group, at.beta.support.size()); ++slot)
      if (!problem.penalty.always_in(at.beta.support[slot]))
        departures.push_back(departure(problem, at, alpha, slot, target));
    std::vector<Index> columns;
    for (Index j = 0; j < p; ++j) {
      const auto pays = [&](const Departure& d) { return possible(d, j); };
      if (used[j] == 0 && problem.features.norm(j) > 0 && std::any_of(departures.begin(), departures.end(), pays))
        columns.push_back(j);
      if (columns.size() < block && (j + 1 < p || columns.empty())) continue;
      if (stop.now()) return result;
      const auto active = problem.features.gather(columns);
      for (const Departure& d : departures)
        for (std::size_t c = 0; c < columns.size(); ++c) {
          const auto place = static_cast<Index>(c);
          const double moved = tau[columns[c]] + active.dot(place, d.change) - active.centre(place) * d.sum;
          if (most_gain(problem, columns[c], moved) <= d.needed || stop.now()) continue;
          if (best_entry(problem, d.beta, columns[c]) >= target) continue;
          return {true, true, d.out, columns[c], result.sweeps + 1};
        }
      columns.clear();
    }
    ++result.sweeps;
  }
  result.complete = !stop.now();
  return result;
}

}  // namespace ellzero::solve
