// A criterion of a question's models, and what bounds say about the best of all subsets.
#pragma once

#include <string_view>

#include "ellzero/result.hpp"
#include "fit/question.hpp"
#include "select/criteria.hpp"
#include "select/size_bounds.hpp"

namespace ellzero::front {

template <class L>
class Criterion {
 public:
  /// `name`: "aic", "bic", "ebic" or "gic".
  Criterion(const Question<L>& question, std::string_view name);

  [[nodiscard]] double of(const Result& model) const;

  /// Of a model with `size` features whose loss, in the weights of the question, is this.
  [[nodiscard]] double at(double loss, Index size) const;

  /// The loss at which a model with `size` features has this criterion.
  [[nodiscard]] double loss_at(double criterion, Index size) const;

  struct Least {
    double value;
    Index size;
  };
  /// What the criterion of any subset is at least, and the size for which that is all that is known; `gap`: of bounds
  /// that are taken for closed.                                                                                  (15.1)
  [[nodiscard]] Least least(const select::SizeBounds& bounds, double gap = 0) const;

 private:
  [[nodiscard]] select::FitSummary summary(double loss, Index size) const;

  const Question<L>& question_;
  std::string_view name_;
  double samples_ = 0, to_samples_ = 0, target_size_ = 0;
};

/// What a model that is not shrunk proves about the loss of every size.
void add_bound(const Result& model, select::SizeBounds& bounds);

}  // namespace ellzero::front
