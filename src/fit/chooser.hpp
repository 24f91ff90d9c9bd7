// The choice of a model: the path on all samples, the same models on every training fold or a criterion, one choice.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/selection.hpp"
#include "fit/question.hpp"
#include "fit/walk.hpp"
#include "select/cross_validation.hpp"
#include "select/size_bounds.hpp"

namespace ellzero::front {

template <class L>
class Chooser {
 public:
  Chooser(const Question<L>& question, const Settings& settings, const Dataset& data, core::Stop& stop)
      : question_(question), settings_(settings), data_(data), stop_(stop) {}

  /// Small models first. Larger ones cost far more time, and are looked at as long as the score asks for them.
  Selection run();

  /// What is known of the chosen model.
  [[nodiscard]] Found<L> found(const Selection& selection);

  /// Takes a proved model into account, where nothing is shrunk: its bound, and itself where its criterion is better.
  void learn(Result proved, Selection& selection);

  /// Proves sizes that could have a better criterion than the chosen model, until none is left or a limit comes first.
  void prove_criterion(Selection& selection);

  /// Says what is known about the criterion of all subsets.
  void compare_with_all_subsets(Selection& selection) const;

 private:
  /// The models of a path, and of those sizes between that could be better by the criterion.
  void among_sizes_between(const Settings& settings, Walk<L>& walk);

  /// The scores of the path, and the choice.
  void by_criterion(Selection& result);

  /// Searches all subsets, where they are not too many, for a better criterion.
  void search_subsets(Index most_nodes, Selection& selection);

  /// A size whose bound leaves room for a better criterion than that of the chosen model.
  [[nodiscard]] std::optional<Index> open_size(const Selection& selection) const;

  /// The models of one path, their scores and the choice; the walk is kept where it is the newest.
  Selection among(const Settings& settings, std::unique_ptr<Walk<L>>& walk);

  /// The settings with rows of shrinkage, where the user has said nothing about it: much and little, and none, or
  /// next to none, where there are more samples than features.
  [[nodiscard]] Settings with_rows() const;

  void cross_validate(const select::Resampling<L>& samples, const Settings& settings, const select::Metric& metric,
                      Selection& result);

  /// EBIC of each model as it is refitted to all samples without penalty.
  [[nodiscard]] std::vector<double> evidence_of(std::span<const Result> models);

  /// The models that rules name get the coefficients that their members have.
  void relax_named(const Settings& settings, Selection& result);

  const Question<L>& question_;
  const Settings& settings_;
  const Dataset& data_;
  core::Stop& stop_;
  std::unique_ptr<Walk<L>> walk_;
  std::optional<select::SizeBounds> bounds_;  // of a choice by a criterion, where nothing is shrunk
};

}  // namespace ellzero::front
