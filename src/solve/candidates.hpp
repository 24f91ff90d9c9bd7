// The second-order model of a problem on a few candidate columns, which local search moves in.
#pragma once

#include <span>
#include <vector>

#include "core/stop.hpp"
#include "problem/problem.hpp"
#include "solve/feature_gram.hpp"
#include "solve/gram_search.hpp"

namespace ellzero::solve {

template <class L>
class Candidates {
 public:
  /// Products that others have asked for before are taken from `gram`.
  Candidates(const problem::Problem<L>& problem, std::vector<Index> columns, FeatureGram& gram)
      : problem_(problem), gram_(gram), columns_(std::move(columns)) {}

  [[nodiscard]] std::span<const Index> columns() const { return columns_; }

  /// Places of features among the candidates; those that are not candidates are left out.
  [[nodiscard]] std::vector<Index> places(std::span<const Index> features) const;

  [[nodiscard]] std::vector<Index> features(std::span<const Index> places) const;

  /// b'Gb/2 - c'b stands for the loss around the coefficients beta with predictor u. For squared loss it is the loss,
  /// wherever beta is, and made once. Unfinished, and of no use, if it is time to stop.
  const GramModel& model(const problem::Coefficients& beta, std::span<const double> u, core::Stop& stop);

 private:
  /// G: inner products in the metric of h, the intercept at its best.
  void multiply();

  const problem::Problem<L>& problem_;
  FeatureGram& gram_;
  std::vector<Index> columns_;  // ascending
  GramModel model_;
  bool finished_ = false;
};

}  // namespace ellzero::solve
