// The one dispatch: checks the input, fixes the loss, and hands a question to the work to be done.
#pragma once

#include <cstddef>
#include <memory>
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

/// sum_j |x~_j|^2, the scale of ridges that are made from the data.
double squared_norms(const features::View& features);

/// A list of bounds may be empty (none), one for all, or one per feature.
double bound_of(std::span<const double> bounds, Index j, double none);

/// Data and settings, checked once: the problem on all samples, and on some of them, over one source of columns.
template <class L>
class Question {
 public:
  Question(const L& loss, const Dataset& data, const Settings& settings);

  /// The same question of some samples of another, by one thread: a mask over the same columns.
  Question(const Question& whole, std::span<const Index> rows);

  Question(const Question&) = delete;  // a problem refers to what is kept here
  Question& operator=(const Question&) = delete;

  [[nodiscard]] const problem::Problem<L>& problem() const { return problem_; }
  [[nodiscard]] const FeatureSource& columns() const { return *source_; }
  /// The rows of the data that have a positive weight; empty when that is all of them.
  [[nodiscard]] std::span<const Index> kept() const { return samples_.kept; }

 private:
  Question(const L& loss, const Settings& settings, const Dataset& data, Samples samples);
  Question(const L& loss, const Settings& settings, Samples samples, std::shared_ptr<const FeatureSource> source,
           int threads);

  Settings settings_;
  Samples samples_;
  std::shared_ptr<const FeatureSource> source_;
  core::ThreadPool pool_;
  features::View view_;
  NearZero near_zero_;
  problem::Problem<L> problem_;
};

/// Calls work(question) for the loss that the settings name.
template <class Work>
auto with_question(const Dataset& data, const Settings& settings, Work&& work) {
  validate(settings);
  return std::visit([&]<class L>(const L& loss) { return work(Question<L>(loss, data, settings)); },
                    chosen_loss(settings));
}

/// Throws Error(Usage) unless just one of lambda0 and k is set.
void check_one_model(const Settings& settings);

/// Calls work(problem) with the one problem that data and settings describe.
template <class Work>
auto with_problem(const Dataset& data, const Settings& settings, Work&& work) {
  validate(settings);
  check_one_model(settings);
  return with_question(data, settings, [&](const auto& question) { return work(question.problem()); });
}

}  // namespace ellzero::front
