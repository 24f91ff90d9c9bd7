// Rows of prices where only the models count, as in folds: squared loss, neither bounds nor an l1 penalty, in Gram
// space.
//
// 1. the products of the features that matter with one another are made once, for all rows and prices
// 2. down the prices and up again, each search begins with its neighbour's support: adds, drops, swaps      (11.3)
// 3. a sweep of X finds features outside that would enter by themselves; their products are made, too           (5.2)
// 4. a support that suits another price better is taken over there, also from other rows                        (1.4)
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "loss/squared.hpp"
#include "problem/problem.hpp"
#include "select/grid.hpp"
#include "solve/feature_gram.hpp"
#include "solve/gram_search.hpp"

namespace ellzero::select {

class GramWalk {
 public:
  GramWalk(const problem::Problem<loss::Squared>& problem, core::Stop& stop);

  /// The model at every price, from the highest down; no good once it is time to stop.
  std::vector<problem::Coefficients> row(double lambda2, std::span<const double> prices);

  /// The best coefficients on a support, without any penalty; none where columns of it span others.           (12.12)
  [[nodiscard]] std::optional<problem::Coefficients> refit(std::span<const Index> support);

 private:
  using Places = std::vector<Index>;  // of candidates, ascending
  struct Model {
    Line line;  // less the loss without features
    Places support;
  };

  /// The best model that can be reached from a support.
  Model search(double price, const Places& from);
  /// The model that the search is at.
  [[nodiscard]] Model model(double price) const;
  /// Whether a point becomes better by a search from a support.
  bool try_from(const Places& from, double price, Model& point);
  [[nodiscard]] bool is_better(const Model& a, const Model& b, double price) const;

  /// Features outside that would enter a model by themselves become candidates; false if there are none.
  bool let_in(const Model& at, double price);
  void add_candidates(std::vector<Index> features);

  /// The best ones on a support.
  [[nodiscard]] problem::Coefficients coefficients(const Places& support, double lambda2) const;

  const problem::Problem<loss::Squared>& problem_;
  core::Stop& stop_;
  solve::FeatureGram gram_;
  std::vector<Index> candidates_;
  std::vector<Index> place_;  // per feature, among the candidates; -1: none of them
  std::vector<double> c_;     // per feature
  std::size_t usable_ = 0;    // features that are not constant
  double constant_ = 0;       // the loss without features
  double mean_ = 0;           // of the target, where there is an intercept
  solve::GramModel model_;
  std::optional<solve::GramSearch> search_;
  std::vector<Model> models_;           // of this row and those before
  std::map<Places, double> best_gain_;  // of a feature outside, by support; of this row
};

}  // namespace ellzero::select
