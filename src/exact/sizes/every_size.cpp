// The two searches behind every_size.hpp, and what they are given.
#include "exact/sizes/every_size.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

namespace ellzero::exact::sizes {
namespace {

LeastSquares to_least_squares(const problem::Problem<loss::Squared>& problem, std::span<const Index> features) {
  const Index n = problem.features.rows(), p = static_cast<Index>(features.size());
  const double lambda2 = problem.penalty.lambdas().lambda2;
  LeastSquares system{.rows = n + (lambda2 > 0 ? p : 0), .cols = p, .x = {}, .y = {}};
  system.x.assign(static_cast<std::size_t>(system.rows * p), 0.0);
  system.y.assign(static_cast<std::size_t>(system.rows), 0.0);
  double total = 0, mean = 0, off_centre = 1;
  for (Index i = 0; i < n; ++i) {
    total += problem.weights[i];
    mean += problem.weights[i] * (problem.y[i] - problem.offset[i]);
  }
  mean = problem.intercept ? mean / total : 0;
  for (Index i = 0; i < n; ++i) system.y[i] = std::sqrt(problem.weights[i]) * (problem.y[i] - problem.offset[i] - mean);
  for (Index c = 0; c < p; ++c) {
    const Index j = features[c];
    const std::span<double> column(system.x.data() + c * system.rows, static_cast<std::size_t>(n));
    const auto gathered = problem.features.gather({&j, 1});
    gathered.axpy(0, 1, column);
    for (Index i = 0; i < n; ++i) column[i] = std::sqrt(problem.weights[i]) * (column[i] - gathered.centre(0));
    if (lambda2 > 0) system.x[c * system.rows + n + c] = std::sqrt(2 * lambda2);
    off_centre = std::max(off_centre, problem.features.dot_error(j) / (core::dot_error(n) * problem.features.norm(j)));
  }
  // Centring leaves roundings relative to the mean; reflections leave some that grow like sqrt(n).
  system.tolerance = (64 + std::sqrt(static_cast<double>(n))) * core::unit_roundoff * off_centre;
  return system;
}

template <class Fits>
SizeOutcomes finish(SizeSearch<Fits>& search, const Fits& fits) {
  SizeOutcomes out{search.run(), {}};
  for (const SizeRecord& record : out.search.sizes) out.rounding.push_back(fits.rounding(record.best));
  return out;
}

}  // namespace

SizeOutcomes search_sizes(const LeastSquares& system, std::uint64_t in, const SizeLimits& limits) {
  Triangles triangles(system, in);
  SizeSearch search(triangles, limits);
  return finish(search, triangles);
}

SizeOutcomes search_sizes(PenalisedFits& fits, const SizeLimits& limits) {
  SizeSearch search(fits, limits);
  for (const auto& [objective, model] : fits.eliminate()) search.offer(objective, model);
  return finish(search, fits);
}

EverySizeSearch::EverySizeSearch(const problem::Problem<loss::Squared>& problem) : problem_(problem) {
  constexpr auto most = static_cast<std::size_t>(most_features);
  for (Index j = 0; j < problem.features.cols(); ++j) {
    if (problem.features.norm(j) > 0) {
      if (problem.penalty.always_in(j) && features_.size() < most) in_ |= std::uint64_t{1} << features_.size();
      features_.push_back(j);
    } else constant_in_ += problem.penalty.always_in(j) ? 1 : 0;
  }
  if (features_.size() > most)
    throw Error(ErrorCode::Usage, fmt::format("X: {} columns that are not constant; expected at most {} for every k",
                                              features_.size(), most));
  if (problem.penalty.lambdas().lambda1 > 0 || problem.penalty.has_boxes())
    penalised_.emplace(*gram::to_quadratic(problem), features_, in_);
  else system_ = to_least_squares(problem, features_);
}

bool EverySizeSearch::is_well_conditioned() const {
  constexpr double least = 1e-5;  // of a column's norm, beside those before it: twice projected out
  if (penalised_) return false;
  std::vector<std::vector<double>> basis;
  for (Index c = 0; c < system_.cols; ++c) {
    const auto column = system_.column(c);
    std::vector<double> left(column.begin(), column.end());
    const auto dot = [](const auto& a, const auto& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    const double norm = std::sqrt(dot(left, left));
    for (int round = 0; round < 2; ++round)
      for (const auto& direction : basis) {
        const double share = dot(direction, left);
        for (std::size_t i = 0; i < left.size(); ++i) left[i] -= share * direction[i];
      }
    const double rest = std::sqrt(dot(left, left));
    if (!(rest >= least * norm)) return false;
    for (double& value : left) value /= rest;
    basis.push_back(std::move(left));
  }
  return true;
}

EverySize EverySizeSearch::run(Index largest, Index most_nodes, core::Stop& stop, std::vector<double> worth) {
  const auto count = static_cast<Index>(features_.size());
  const int most = static_cast<int>(std::min(largest - constant_in_, count));
  if (!worth.empty()) {  // constant columns that are always-in count, and are not searched
    worth.erase(worth.begin(), worth.begin() + constant_in_);
    worth.resize(static_cast<std::size_t>(most) + 1);
  }
  const SizeLimits limits{most, std::move(worth), most_nodes, &stop};
  const auto found = penalised_ ? search_sizes(*penalised_, limits) : search_sizes(system_, in_, limits);
  EverySize out{{}, found.search.nodes, found.search.limit};
  SizedModel best;
  best.model = fit(in_);
  double unproved = std::numeric_limits<double>::infinity();
  std::uint64_t winner = in_;
  const int smallest = std::popcount(in_);
  for (int size = smallest; size <= limits.largest; ++size) {
    const SizeRecord& record = found.search.sizes[size];
    for (const SizeModel& model : record.models) {
      if (model.objective > record.best + found.rounding[size]) continue;
      auto fitted = fit(model.features);
      if (better(fitted.objective, model.features, best.model.objective, winner)) {
        best.model = std::move(fitted);
        winner = model.features;
      }
    }
    unproved = std::min(unproved, record.unproved);
    double least = std::min(record.best, best.model.objective);
    if (!limits.worth.empty()) least = std::min(least, limits.worth[size]);
    const double rounded = least - found.rounding[size];
    best.lower_bound = std::max(0.0, std::min(unproved, rounded));  // no objective is negative
    const bool matters = limits.worth.empty() || best.model.objective <= limits.worth[size];
    best.proved = matters && (std::isinf(unproved) || unproved >= rounded);
    out.sizes.push_back(best);
  }
  // Constant columns count where they are always-in, and make larger models no better.
  out.sizes.resize(static_cast<std::size_t>(largest - problem_.penalty.always_in_count() + 1), best);
  return out;
}

bool EverySizeSearch::better(double objective, std::uint64_t features, double other, std::uint64_t winner) {
  constexpr double alike = 1e-13;
  if (std::isinf(other) || std::abs(objective - other) > alike * std::abs(other)) return objective < other;
  if (std::popcount(features) != std::popcount(winner)) return std::popcount(features) < std::popcount(winner);
  const std::uint64_t differ = features ^ winner;
  return (features & (differ & -differ)) != 0;  // holds the first feature that only one of them holds
}

solve::Incumbent EverySizeSearch::fit(std::uint64_t chosen) {
  std::vector<Index> columns;
  for (std::size_t c = 0; c < features_.size(); ++c)
    if (chosen >> c & 1) columns.push_back(static_cast<Index>(c));
  const auto values = penalised_ ? penalised_->coefficients(chosen) : solve_least_squares(system_, columns);
  problem::Coefficients beta;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (values[c] != 0) {
      beta.support.push_back(features_[columns[c]]);
      beta.values.push_back(values[c]);
    }
  return solve::completed(problem_, std::move(beta));
}

}  // namespace ellzero::exact::sizes
