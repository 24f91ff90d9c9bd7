// The walk behind path() and choose(): models in the user's units, and what a proof of one of them begins with.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/path.hpp"
#include "fit/found.hpp"
#include "fit/question.hpp"
#include "select/budget_path.hpp"
#include "select/path.hpp"

namespace ellzero::front {

template <class L>
class Walk {
 public:
  /// Walks the grid that the settings describe, or the budgets up to settings.k.
  Walk(const Question<L>& question, const Settings& settings, core::Stop& stop);

  [[nodiscard]] Path& path() { return path_; }

  /// What the walk knows of model m of the path.
  [[nodiscard]] Found<L> found(Index m) const { return found_.at(static_cast<std::size_t>(m))(); }

  /// Adds models of sizes that no price of a row has reached, each within its budget. No such model has an objective,
  /// prices apart, below the line between its neighbours, if those are the best: `worth` says for a size and that least
  /// objective whether to look for it.
  void add_between(const Settings& settings, core::Stop& stop, const std::function<bool(Index, double)>& worth);

 private:
  void over_prices(const problem::Problem<L>& problem, const Settings& settings, core::Stop& stop);
  void over_budgets(const problem::Problem<L>& problem, const Settings& settings, core::Stop& stop);
  void insert(std::size_t place, Result model, std::function<Found<L>()> found);
  void add(Result model, std::function<Found<L>()> found) { insert(found_.size(), std::move(model), std::move(found)); }

  Path path_;
  std::unique_ptr<select::PathProgress> progress_ = std::make_unique<select::PathProgress>();  // rows refer to it
  std::vector<select::PricePath<L>> price_rows_;
  std::vector<select::BudgetPath<L>> budget_rows_;
  std::vector<std::function<Found<L>()>> found_;  // by model; they refer to the rows
};

}  // namespace ellzero::front
