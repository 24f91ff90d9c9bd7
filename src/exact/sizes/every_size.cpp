// The two searches behind every_size.hpp, and what they are given.
#include "exact/sizes/every_size.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/exact_sum.hpp"

namespace ellzero::exact::sizes {
namespace {

/// Whether a combination of columns is the same in all samples (0 where there is no intercept), exactly: proportions of
/// small whole numbers, and sums without rounding.
bool vanishes(const problem::Problem<loss::Squared>& problem, std::span<const Index> columns,
              std::span<const double> coefficients) {
  const std::vector<double> whole = to_whole_numbers(coefficients);
  if (whole.empty()) return false;
  std::vector<core::ExactSum> sums(static_cast<std::size_t>(problem.features.rows()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    problem.features.for_each_entry(columns[k], [&](Index i, double x) { sums[i].add_product(whole[k], x); });
  const double same = problem.intercept ? sums.front().value() : 0;
  return std::all_of(sums.begin(), sums.end(), [&](core::ExactSum& sum) {
    sum.add(-same);
    return sum.value() == 0;
  });
}

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
  system.vanishes = [&problem, features](std::span<const int> chosen, std::span<const double> coefficients) {
    std::vector<Index> columns;
    std::vector<double> as_given;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      columns.push_back(features[static_cast<std::size_t>(chosen[k])]);
      as_given.push_back(coefficients[k] * problem.features.scale(columns.back()));
    }
    return vanishes(problem, columns, as_given);
  };
  return system;
}

template <class Fits>
SizeOutcomes finish(SizeSearch<Fits>& search, const Fits& fits) {
  SizeOutcomes out{search.run(), {}, {}, fits.smallest_doubtful(), fits.doubtful()};
  for (SizeRecord& record : out.search.sizes) {
    if (std::isfinite(record.unproved)) record.unproved -= fits.rounding(record.unproved);
    out.rounding.push_back(fits.rounding(record.best));
    out.tie.push_back(fits.tie(record.best));
  }
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

EverySize EverySizeSearch::run(Index largest, Index most_nodes, core::Stop& stop, std::vector<double> worth) {
  const auto count = static_cast<Index>(features_.size());
  const int most = static_cast<int>(std::min(largest - constant_in_, count));
  if (!worth.empty()) {  // constant columns that are always-in count, and are not searched
    worth.erase(worth.begin(), worth.begin() + constant_in_);
    worth.resize(static_cast<std::size_t>(most) + 1);
  }
  const SizeLimits limits{most, std::move(worth), most_nodes, &stop};
  const auto found = penalised_ ? search_sizes(*penalised_, limits) : search_sizes(system_, in_, limits);
  EverySize out{{}, found.search.nodes, found.search.limit, {}};
  for (std::size_t c = 0; c < features_.size(); ++c)
    if (found.doubtful >> c & 1) out.doubtful.push_back(features_[c]);
  SizedModel best;
  best.model = fit(in_);
  double unproved = std::numeric_limits<double>::infinity();
  std::uint64_t winner = in_;
  constexpr double of_one_sum = 1e-12;  // of a model without features
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
    if (size > 0) unproved = std::min(unproved, record.unproved);  // there is one model without features
    double least = std::min(record.best, best.model.objective);
    if (!limits.worth.empty()) least = std::min(least, limits.worth[size]);
    const double rounded = least - (size > 0 ? found.rounding[size] : of_one_sum * least);
    const bool doubtful = size >= found.smallest_doubtful;
    best.lower_bound = doubtful ? 0 : std::max(0.0, std::min(unproved, rounded));  // no objective is negative
    const bool matters = limits.worth.empty() || best.model.objective <= limits.worth[size];
    const double undecided = size > 0 ? std::min(found.rounding[size], best.model.objective) : 0;
    best.proved = matters && !doubtful && undecided <= found.tie[size] && unproved >= rounded;
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
