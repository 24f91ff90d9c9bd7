// The exchanges of swap_certificate.hpp.
#include "solve/swap_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::solve {
namespace {

/// v is any vector, vv its square in the metric of 1 / w.
template <class L>
Departure departure(const problem::Problem<L>& problem, const Incumbent& at, std::span<const double> alpha,
                    std::span<const double> v, double vv, std::size_t slot, double target) {
  Departure result{at.beta.support[slot], at.beta, 0, {}};
  result.beta.support.erase(result.beta.support.begin() + static_cast<std::ptrdiff_t>(slot));
  result.beta.values.erase(result.beta.values.begin() + static_cast<std::ptrdiff_t>(slot));
  const auto u = problem::predictor(problem, result.beta);
  result.needed = problem::objective(problem, u, result.beta) - target;
  result.change = problem::gradient(problem, u);
  double squares = 0;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    result.change[i] -= alpha[i];
    result.sum += result.change[i];
    result.along += result.change[i] * v[i] / problem.weights[i];
    squares += result.change[i] * result.change[i] / problem.weights[i];
  }
  result.along = vv > 0 ? result.along / vv : 0;
  result.across = std::sqrt(std::max(0.0, squares * (1 + 1e-9) - result.along * result.along * vv));
  return result;
}

/// No entry of feature j at this tau gains more: a convex loss lies above its tangent, so no b gains more than -Psi_j;
/// squared loss knows its curvature as well, and the figure is exact.
template <class L>
double most_gain(const problem::Problem<L>& problem, Index j, double tau) {
  if constexpr (L::quadratic) return hard_gain(problem, j, tau);
  const auto& coordinate = problem.penalty[j];
  return coordinate.value(0) - coordinate.psi(tau);
}

/// The lowest P that one more feature can reach from beta, by majorised steps in its coefficient.
template <class L>
double best_entry(const problem::Problem<L>& problem, const problem::Coefficients& beta, Index j) {
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

}  // namespace

template <class L>
ExchangeSearch<L>::ExchangeSearch(const problem::Problem<L>& problem, const Incumbent& at, screening::LazyTau& tau,
                                  core::Stop& stop)
    : problem_(problem),
      at_(at),
      tau_(tau),
      stop_(stop),
      target_(at.objective - 1e-10 * std::abs(at.objective)),
      alpha_(problem::gradient(problem, at.u)),
      sum_alpha_(std::accumulate(alpha_.begin(), alpha_.end(), 0.0)),
      used_(static_cast<std::size_t>(problem.features.cols()), 0) {
  for (const Index j : at.beta.support) used_[j] = 1;
  const auto& v = tau.first().alpha;
  for (std::size_t i = 0; i < v.size(); ++i) vv_ += v[i] * v[i] / problem.weights[i];
}

template <class L>
Exchange ExchangeSearch<L>::run(Index most_products) {
  constexpr std::size_t group = 64;
  for (std::size_t first = 0; first < at_.beta.support.size(); first += group) {
    std::vector<Departure> departures;
    for (std::size_t slot = first; slot < std::min(first + group, at_.beta.support.size()); ++slot)
      if (stop_.now()) return {};
      else if (!problem_.penalty.always_in(at_.beta.support[slot]))
        departures.push_back(departure(problem_, at_, alpha_, tau_.first().alpha, vv_, slot, target_));
    const auto columns = tau_.undecided(alpha_, [&](Index j, double tau, double radius) {
      return possible(departures, j, tau, radius);  // (6.3)
    });
    most_products -= static_cast<Index>(columns.size() * departures.size());
    if (most_products < 0) return {};
    tau_.count(static_cast<Index>(columns.size()));
    for (const Index j : columns) {
      if (stop_.now()) return {};
      if (const Exchange found = with(departures, j); found.pays) return found;
    }
  }
  return {!stop_.now()};
}

template <class L>
bool ExchangeSearch<L>::possible(std::span<const Departure> departures, Index j, double tau, double radius) const {
  if (used_[j] != 0) return false;
  const double norm = problem_.features.norm(j), along = tau_.first().tau[j];
  const double across = std::sqrt(std::max(0.0, norm * norm * (1 + 1e-9) - (vv_ > 0 ? along * along / vv_ : 0)));
  return std::any_of(departures.begin(), departures.end(), [&](const Departure& d) {
    const double moved = tau + d.along * along, reach = d.across * across + radius;
    return std::max(most_gain(problem_, j, moved - reach), most_gain(problem_, j, moved + reach)) > d.needed;
  });
}

template <class L>
Exchange ExchangeSearch<L>::with(std::span<const Departure> departures, Index j) {
  const double tau = problem_.features.dot(j, alpha_, sum_alpha_);
  if (!possible(departures, j, tau, 0)) return {};
  for (const Departure& d : departures) {
    if (!possible({&d, 1}, j, tau, 0)) continue;
    const double moved = tau + problem_.features.dot(j, d.change, d.sum);
    if (most_gain(problem_, j, moved) > d.needed && best_entry(problem_, d.beta, j) < target_)
      return {true, true, d.out, j};
  }
  return {};
}

#define INSTANTIATE(L) template class ExchangeSearch<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
