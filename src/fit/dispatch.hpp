// The one dispatch: fixes the loss, checks the input, and hands a Problem to the work to be done.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <variant>

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

int chosen_threads(const Settings& settings);

/// A list of bounds may be empty (none), one for all, or one per feature.
double bound_of(std::span<const double> bounds, Index j, double none);

/// Throws Error(Usage) for bounds, k and always-in features that do not suit p columns.
void check_per_feature(const Settings& settings, Index p);

/// The penalty in the solver's units, where a coefficient is beta~_j = beta_j / scale_j.
penalty::Penalty make_penalty(const Settings& settings, const features::View& source);

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
