// The one dispatch: fixes the loss, checks the input, and hands a Problem to the work to be done.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <thread>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/thread_pool.hpp"
#include "ellzero/error.hpp"
#include "ellzero/settings_table.hpp"
#include "features/make_source.hpp"
#include "features/view.hpp"
#include "fit/samples.hpp"
#include "loss/all.hpp"
#include "problem/problem.hpp"

namespace ellzero::front {

/// The loss that the (validated) settings name.
template <std::size_t I = 0>
loss::AnyLoss chosen_loss(const Settings& settings) {
  using L = std::variant_alternative_t<I, loss::AnyLoss>;
  if constexpr (I + 1 < std::variant_size_v<loss::AnyLoss>)
    if (settings.loss != L::name) return chosen_loss<I + 1>(settings);
  return L::from(settings);
}

inline int chosen_threads(const Settings& settings) {
  return settings.threads > 0 ? settings.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// A list of bounds may be empty (none), one for all, or one per feature.
inline double bound_of(std::span<const double> bounds, Index j, double none) {
  return bounds.empty() ? none : bounds[bounds.size() == 1 ? 0 : j];
}

inline void check_per_feature(const Settings& settings, Index p) {
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

/// 0.01 times the mean squared column norm, or 0 for a budget with more rows than columns, unless the user said
/// otherwise.
inline double chosen_lambda2(const Settings& settings, const features::View& source) {
  if (settings.lambda2) return *settings.lambda2;
  if (settings.k && source.rows() > source.cols()) return 0;
  double squares = 0;
  for (Index j = 0; j < source.cols(); ++j) squares += source.norm(j) * source.norm(j);
  return 0.01 * squares / static_cast<double>(source.cols());
}

/// The penalty in the solver's units, where a coefficient is beta~_j = beta_j / scale_j.
inline penalty::Penalty make_penalty(const Settings& settings, const features::View& source) {
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

/// Calls work(problem) with the Problem that data and settings describe.
template <class Work>
auto with_problem(const Dataset& data, const Settings& settings, Work&& work) {
  validate(settings);
  if (settings.lambda0.has_value() == settings.k.has_value())
    throw Error(ErrorCode::Usage, settings.k ? "lambda0 and k: both are set; expected one of them"
                                             : "lambda0: is not set; expected a number, 0 or above (or k)");
  return std::visit(
      [&]<class L>(const L& loss) {
        const Samples samples = check_samples(data, {&L::is_target, L::targets, L::classifies});
        auto source = features::make_source(data.X, samples.kept);
        check_per_feature(settings, source->cols());
        core::ThreadPool pool(chosen_threads(settings));
        const features::View view(std::move(source), samples.weights, {settings.intercept, settings.standardize}, pool);
        const NearZero near = move_near_zero(samples, L::quadratic, settings.intercept);
        const problem::Problem<L> problem{.features = view,
                                          .loss = loss,
                                          .penalty = make_penalty(settings, view),
                                          .y = near.y,
                                          .weights = samples.weights,
                                          .offset = near.offset,
                                          .intercept = settings.intercept,
                                          .given = {samples.y, samples.offset, near.shift}};
        return work(problem);
      },
      chosen_loss(settings));
}

}  // namespace ellzero::front
