// The Gram block of a problem, made.
#include "exact/gram/gram_problem.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace ellzero::exact::gram {

std::unique_ptr<Quadratic> to_quadratic(const problem::Problem<loss::Squared>& problem) {
  const Index n = problem.features.rows(), p = problem.features.cols();
  std::vector<double> target(static_cast<std::size_t>(n));  // W (y - o), centred
  double total = 0, mean = 0;
  for (Index i = 0; i < n; ++i) {
    target[i] = problem.y[i] - problem.offset[i];
    total += problem.weights[i];
    mean += problem.weights[i] * target[i];
  }
  mean = problem.intercept ? mean / total : 0;
  double constant = 0, largest = 0;
  for (Index i = 0; i < n; ++i) {
    target[i] -= mean;
    largest += problem.weights[i] * (problem.y[i] * problem.y[i] + problem.offset[i] * problem.offset[i]);
    constant += 0.5 * problem.weights[i] * target[i] * target[i];
    target[i] *= problem.weights[i];
  }
  std::vector<double> c(static_cast<std::size_t>(p));
  (void)problem.features.sweep(target, std::accumulate(target.begin(), target.end(), 0.0), features::StoreAll{c});
  std::vector<ColumnSize> sizes;
  std::vector<Coordinate> free, in;
  for (Index j = 0; j < p; ++j) {
    sizes.push_back({problem.features.norm(j), problem.features.dot_error(j)});
    free.push_back(problem.penalty[j]);
    in.push_back(problem.penalty.in_model(j));
  }
  const auto make_rows = [&problem](std::span<const Index> features, std::span<double* const> rows) {
    const auto active = problem.features.gather(features);
    std::vector<std::vector<double>> v(features.size());  // W x~_j
    std::vector<const double*> starts;
    std::vector<double> sums;
    for (std::size_t k = 0; k < features.size(); ++k) {
      const auto place = static_cast<Index>(k);
      v[k].assign(problem.weights.size(), 0.0);
      active.axpy(place, 1, v[k]);
      for (std::size_t i = 0; i < v[k].size(); ++i) v[k][i] = problem.weights[i] * (v[k][i] - active.centre(place));
      starts.push_back(v[k].data());
      sums.push_back(std::accumulate(v[k].begin(), v[k].end(), 0.0));
    }
    problem.features.cross(starts, sums, rows);
  };
  const ColumnSize size{std::sqrt(2 * constant), 2 * core::dot_error(n) * std::sqrt(largest)};
  return std::make_unique<Quadratic>(make_rows, std::move(c), std::move(sizes), constant, size, std::move(free),
                                     std::move(in));
}

bool strengthen_root(const problem::Problem<loss::Squared>& problem, const problem::Coefficients& beta,
                     std::span<const double> tau, double share_of_room, Quadratic& quadratic) {
  const Index n = problem.features.rows(), p = problem.features.cols();
  constexpr double most_work = 4e9;
  const auto rows = static_cast<double>(n);
  if (rows * rows * static_cast<double>(p) > most_work) return false;
  std::vector<double> b(static_cast<std::size_t>(p), 0.0), z(static_cast<std::size_t>(n)), d(b.size(), 0.0);
  for (std::size_t c = 0; c < beta.support.size(); ++c) b[beta.support[c]] = beta.values[c];
  SampleKernel kernel(n);
  std::vector<Index> gainers;
  for (Index j = 0; j < p; ++j) {
    if (problem.features.norm(j) == 0) continue;
    auto share = diagonal_share(problem.penalty[j], problem.penalty.always_in(j), b[j], tau[j], share_of_room);
    const auto column = problem.features.gather({&j, 1});
    std::fill(z.begin(), z.end(), 0.0);
    column.axpy(0, 1, z);
    for (Index i = 0; i < n; ++i) z[i] = std::sqrt(problem.weights[i]) * (z[i] - column.centre(0));
    if (share.gain > 0) {
      kernel.add_gainer(z, share.gain);
      gainers.push_back(j);
    } else {
      share.give = std::max(share.give, 1e-3 * problem.penalty[j].lambda2());
      kernel.add_giver(z, share.give);
      d[j] = -share.give;
    }
  }
  const auto taken = kernel.best();
  if (taken.empty()) return false;
  for (std::size_t k = 0; k < taken.size(); ++k) d[gainers[k]] = taken[k];
  for (Index j = 0; j < p; ++j) quadratic.move_diagonal(j, d[j]);
  return true;
}

}  // namespace ellzero::exact::gram
