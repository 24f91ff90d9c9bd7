// A question in the solver's terms.
#include "fit/question.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace ellzero::front {
namespace {

/// 0.01 times the mean squared column norm, or 0 for a budget or a choice by a criterion with more rows than columns,
/// unless the user said otherwise.
double chosen_lambda2(const Settings& settings, const features::View& source) {
  if (settings.lambda2) return *settings.lambda2;
  const bool by_size = settings.k || (!settings.lambda0 && settings.select != "cv");
  if (by_size && source.rows() > source.cols()) return 0;
  const double chosen = 0.01 * squared_norms(source) / static_cast<double>(source.cols());
  constexpr double most = 1e60;  // as for values that are set
  if (chosen > most)
    throw Error(ErrorCode::Data,
                fmt::format("lambda2: its default, 0.01 times the mean squared column norm, is {:g}; expected at most "
                            "{:g} (rescale X, or set lambda2)",
                            chosen, most));
  return chosen;
}

/// Throws Error(Usage) for bounds, k and always-in features that do not suit p columns.
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

/// The penalty in the solver's units, where a coefficient is beta~_j = beta_j / scale_j.
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

/// The columns of the rows that are kept.
std::shared_ptr<const FeatureSource> checked_source(const Dataset& data, const Samples& samples,
                                                    const Settings& settings) {
  auto source = features::make_source(data.X, samples.kept);
  check_per_feature(settings, source->cols());
  return source;
}

}  // namespace

double squared_norms(const features::View& features) {
  double sum = 0;
  for (Index j = 0; j < features.cols(); ++j) sum += features.norm(j) * features.norm(j);
  return sum;
}

int chosen_threads(const Settings& settings) {
  return settings.threads > 0 ? settings.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

double bound_of(std::span<const double> bounds, Index j, double none) {
  return bounds.empty() ? none : bounds[bounds.size() == 1 ? 0 : j];
}

void check_one_model(const Settings& settings) {
  if (settings.lambda0.has_value() == settings.k.has_value())
    throw Error(ErrorCode::Usage, settings.k ? "lambda0 and k: both are set; expected one of them"
                                             : "lambda0: is not set; expected a number, 0 or above (or k)");
}

template <class L>
Question<L>::Question(const L& loss, const Settings& settings, Samples samples,
                      std::shared_ptr<const FeatureSource> source, int threads)
    : settings_(settings),
      samples_(std::move(samples)),
      source_(std::move(source)),
      pool_(threads),
      view_(source_, samples_.weights, {settings.intercept, settings.standardize}, pool_),
      near_zero_(move_near_zero(samples_, L::quadratic, settings.intercept)),
      problem_{.features = view_,
               .loss = loss,
               .penalty = make_penalty(settings, view_),
               .y = near_zero_.y,
               .weights = samples_.weights,
               .offset = near_zero_.offset,
               .intercept = settings.intercept,
               .given = {samples_.y, samples_.offset, near_zero_.shift}} {}

template <class L>
Question<L>::Question(const L& loss, const Dataset& data, const Settings& settings)
    : Question(loss, settings, data, check_samples(data, {&L::is_target, L::targets, L::classifies})) {}

template <class L>
Question<L>::Question(const L& loss, const Settings& settings, const Dataset& data, Samples samples)
    : Question(loss, settings, samples, checked_source(data, samples, settings), chosen_threads(settings)) {}

template <class L>
Question<L>::Question(const Question& whole, std::span<const Index> rows)
    : Question(whole.problem_.loss, whole.settings_, some_of(whole.samples_, rows),
               features::masked_source(whole.source_, rows), 1) {}

#define INSTANTIATE(L) template class Question<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
