// What criteria see of a model: its misfit and its size.
#include "fit/criterion.hpp"

#include <cstddef>
#include <limits>
#include <numeric>

#include "ellzero/predict.hpp"
#include "loss/all.hpp"
#include "select/criteria.hpp"
#include "select/sample_count.hpp"

namespace ellzero::front {

template <class L>
Criterion<L>::Criterion(const Question<L>& question, std::string_view name) : question_(question), name_(name) {
  const auto& problem = question.problem();
  samples_ = select::sample_count(problem.weights);
  to_samples_ = samples_ / std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
  for (std::size_t i = 0; i < problem.weights.size(); ++i) {
    const double target = problem.given.y[i] - problem.given.offset[i];
    target_size_ += to_samples_ * problem.weights[i] * target * target;
  }
}

template <class L>
double Criterion<L>::of(const Result& model) const {
  const auto& problem = question_.problem();
  const Matrix X = &question_.columns();
  const auto u = predict(X, problem.given.offset, model.intercept, model.support, model.coefficients);
  double loss = 0;
  for (std::size_t i = 0; i < u.size(); ++i) loss += problem.weights[i] * problem.loss.value(u[i], problem.given.y[i]);
  return at(loss, std::ssize(model.support));
}

template <class L>
select::FitSummary Criterion<L>::summary(double loss, Index size) const {
  const auto& problem = question_.problem();
  return {to_samples_ * loss, samples_, target_size_, problem.features.cols(), size, problem.intercept};
}

template <class L>
double Criterion<L>::at(double loss, Index size) const {
  return select::criterion<L>(name_, summary(loss, size));
}

template <class L>
double Criterion<L>::loss_at(double criterion, Index size) const {
  return select::loss_at<L>(criterion - select::price(name_, summary(0, size)), samples_) / to_samples_;
}

template <class L>
typename Criterion<L>::Least Criterion<L>::least(const select::SizeBounds& bounds, double gap) const {
  const auto& problem = question_.problem();
  Least result{std::numeric_limits<double>::infinity(), 0};
  for (Index size = problem.penalty.always_in_count(); size <= problem.features.cols(); ++size)
    if (const double value = at(bounds.of(size) / (1 - gap), size); value < result.value) result = {value, size};
  return result;
}

void add_bound(const Result& model, select::SizeBounds& bounds) {
  if (model.k) bounds.up_to(*model.k, model.lower_bound);
  else bounds.at_price(*model.lambda0, model.lower_bound);
}

#define INSTANTIATE(L) template class Criterion<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
