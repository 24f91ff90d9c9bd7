// Settings in the solver's terms.
#include "fit/dispatch.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace ellzero::front {
namespace {

/// 0.01 times the mean squared column norm, or 0 for a budget with more rows than columns, unless the user said
/// otherwise.
double chosen_lambda2(const Settings& settings, const features::View& source) {
  if (settings.lambda2) return *settings.lambda2;
  if (settings.k && source.rows() > source.cols()) return 0;
  double squares = 0;
  for (Index j = 0; j < source.cols(); ++j) squares += source.norm(j) * source.norm(j);
  return 0.01 * squares / static_cast<double>(source.cols());
}

}  // namespace

void check_per_feature(const Settings& settings, Index p) {
  const auto check_length = [&](std::string_view name, std::size_t length) {
    if (length > 1 && length != static_cast<std::size_t>(p))
      throw Error(ErrorCode::Usage,
                  fmt::format("{}: length is {}; expected 1 or {}, the number of columns of X", name, length, p));
  };
  check_length("lower", settings.lower.size());
  check_length("upper", settings.upper.size());
  const auto always = std::ssize(std::set<Index>(settings.always.begin(), settings.always.end()));
  if (settings.k && (*settings.k > p || *settings.k < always))
    throw Error(ErrorCode::Usage,
                fmt::format("k: value is {}; expected {} to {}, the number of always-in features to the "
                            "number of columns of X",
                            *settings.k, always, p));
  for (const Index j : settings.always)
    if (j >= p) throw Error(ErrorCode::Usage, fmt::format("always: feature {}; expected 0 to {}", j, p - 1));
}

int chosen_threads(const Settings& settings) {
  return settings.threads > 0 ? settings.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

double bound_of(std::span<const double> bounds, Index j, double none) {
  return bounds.empty() ? none : bounds[bounds.size() == 1 ? 0 : j];
}

penalty::Penalty make_penalty(const Settings& settings, const features::View& source) {
  const penalty::Lambdas lambdas{settings.lambda0.value_or(0), settings.lambda1, chosen_lambda2(settings, source)};
  if (settings.lower.empty() && settings.upper.empty() && settings.always.empty()) return penalty::Penalty(lambdas);
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::vector<bool> always(static_cast<std::size_t>(source.cols()), false);
  for (const Index j : settings.always) always[j] = true;
  const auto box_of = [&](Index j) {
    if (source.scale(j) == 0) return penalty::Box{};  // a constant column: its coefficient is 0 anyway
    return penalty::Box{bound_of(settings.lower, j, -inf) / source.scale(j),
                        bound_of(settings.upper, j, inf) / source.scale(j)};
  };
  return {lambdas, source.cols(), box_of, [&](Index j) { return bool{always[j]}; }};
}

}  // namespace ellzero::front
