// The choice of a model: the path on all samples, the same models on every training fold or a criterion, one choice.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/selection.hpp"
#include "fit/question.hpp"
#include "fit/walk.hpp"
#include "select/cross_validation.hpp"

namespace ellzero::front {

template <class L>
class Chooser {
 public:
  Chooser(const Question<L>& question, const Settings& settings, Index rows, core::Stop& stop)
      : question_(question), settings_(settings), rows_(rows), stop_(stop) {}

  /// Small models first. Larger ones cost far more time, and are looked at as long as the score asks for them.
  Selection run();

  /// What the walk of the choice knows of its model m.
  [[nodiscard]] Found<L> found(Index m) { return walk_->found(m); }

 private:
  /// The models of one path, their scores and the choice; the walk is kept where it is the newest.
  Selection among(const Settings& settings, std::unique_ptr<Walk<L>>& walk);

  /// The settings with rows of shrinkage, where the user has said nothing about it: much, some, and none, or next to
  /// none, where there are more samples than features.
  [[nodiscard]] Settings with_rows() const;

  void cross_validate(const select::Resampling<L>& samples, const Settings& settings, const select::Metric& metric,
                      Selection& result);
  [[nodiscard]] std::vector<double> criteria(const std::vector<Result>& models) const;

  const Question<L>& question_;
  const Settings& settings_;
  Index rows_;  // of the data
  core::Stop& stop_;
  std::unique_ptr<Walk<L>> walk_;
};

}  // namespace ellzero::front
