// Coefficients and bounds, from one side to the other.
#include "fit/units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include <fmt/format.h>

#include "loss/all.hpp"
#include "select/refit.hpp"

namespace ellzero::front {
namespace {

/// A coefficient at its bound comes back as just that bound, whatever scaling forth and back rounds.
template <class L>
double coefficient_in_user_units(const problem::Problem<L>& problem, const Settings& settings, Index j, double b) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double lower = bound_of(settings.lower, j, -inf), upper = bound_of(settings.upper, j, inf);
  if (b == problem.penalty[j].clamp(-inf)) return lower;
  if (b == problem.penalty[j].clamp(inf)) return upper;
  return std::clamp(b * problem.features.scale(j), lower, upper);
}

}  // namespace

template <class L>
problem::Coefficients to_solver_units(const problem::Problem<L>& problem, const Settings& settings,
                                      std::span<const double> coefficients) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Index p = problem.features.cols();
  if (coefficients.size() != static_cast<std::size_t>(p))
    throw Error(ErrorCode::Data, fmt::format("coefficients: length is {}; expected {}, the number of columns of X",
                                             coefficients.size(), p));
  problem::Coefficients beta;
  for (Index j = 0; j < p; ++j) {
    const double b = coefficients[j];
    if (b == 0) continue;
    const double scaled = b / problem.features.scale(j);  // infinite for a constant column
    if (!std::isfinite(scaled) || b < bound_of(settings.lower, j, -inf) || b > bound_of(settings.upper, j, inf))
      throw Error(
          ErrorCode::Data,
          fmt::format("coefficients[{}]: value is {}; expected a finite number between lower and upper (0 for a "
                      "constant column)",
                      j, b));
    beta.support.push_back(j);
    beta.values.push_back(problem.penalty[j].clamp(scaled));  // scaling a coefficient at its bound may round beyond it
  }
  return beta;
}

template <class L>
void report(const problem::Problem<L>& problem, const Settings& settings, const problem::Coefficients& beta,
            double lower_bound, Result& result) {
  std::map<Index, double> listed;
  for (const Index j : settings.always)
    if (problem.features.scale(j) != 0) listed[j] = 0;
  for (std::size_t c = 0; c < beta.support.size(); ++c)
    listed[beta.support[c]] = coefficient_in_user_units(problem, settings, beta.support[c], beta.values[c]);
  for (const auto& [j, b] : listed) {
    result.support.push_back(j);
    result.coefficients.push_back(b);
  }
  const Stated stated = state(problem, result.support, result.coefficients, beta.intercept);
  result.intercept = stated.intercept;
  set_bounds(stated.objective, lower_bound, result);
}

template <class L>
void relax(const problem::Problem<L>& problem, const Settings& settings, double share, core::Stop& stop,
           Result& result) {
  if (share == 0) return;
  result.relax = share;
  result.penalised = Penalised{result.intercept, result.coefficients};
  problem::Coefficients beta{0, result.support, {}};
  for (std::size_t c = 0; c < result.support.size(); ++c) {
    const Index j = result.support[c];
    beta.values.push_back(problem.penalty[j].clamp(result.coefficients[c] / problem.features.scale(j)));
  }
  const auto warm = solve::completed(problem, std::move(beta)).beta;
  const auto free = select::refit(problem, warm.support, stop, &warm).beta;
  std::map<Index, double> refitted;
  for (std::size_t c = 0; c < free.support.size(); ++c)
    refitted[free.support[c]] = coefficient_in_user_units(problem, settings, free.support[c], free.values[c]);
  for (std::size_t c = 0; c < result.support.size(); ++c)
    result.coefficients[c] = (1 - share) * result.coefficients[c] + share * refitted[result.support[c]];
  result.intercept = state(problem, result.support, result.coefficients, free.intercept).intercept;
}

#define INSTANTIATE(L)                                                                                              \
  template problem::Coefficients to_solver_units(const problem::Problem<L>& problem, const Settings& settings,      \
                                                 std::span<const double> coefficients);                             \
  template void report(const problem::Problem<L>& problem, const Settings& settings,                                \
                       const problem::Coefficients& beta, double lower_bound, Result& result);                      \
  template void relax(const problem::Problem<L>& problem, const Settings& settings, double share, core::Stop& stop, \
                      Result& result);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
