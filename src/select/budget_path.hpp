// The walk over budgets: each k as a single fit has it, then better by the supports of its neighbours.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/rounding.hpp"
#include "core/stop.hpp"
#include "select/budget.hpp"
#include "select/neighbours.hpp"
#include "select/path.hpp"

namespace ellzero::select {

template <class L>
class BudgetPath {
 public:
  struct Point {
    Index k = 0;
    BudgetOutcome outcome;
    std::optional<Status> limit = {};  ///< what cut it short
    double seconds = 0;                ///< that it took
  };

  /// `free` has price 0.
  BudgetPath(problem::Problem<L> free, const solve::SearchSettings& settings, core::Stop& stop, PathProgress& progress)
      : free_(std::move(free)), settings_(settings), stop_(stop), progress_(progress) {}

  [[nodiscard]] const problem::Problem<L>& free() const { return free_; }
  [[nodiscard]] std::vector<Point>& points() { return points_; }

  /// From the always-in features alone to k of them, or until a model has more nonzeros than wanted.
  void walk(Index k, Index most_nonzeros);

 private:
  void visit(Index k);

  /// Supports of k + 1 features without one, and of k - 1 with one more, as long as one of them is better; or some
  /// rounds, where coefficients have no best size and every look finds a little more.
  void exchange();

  bool from_below(std::size_t i);

  bool from_above(std::size_t i);

  bool adopt(solve::Incumbent from, Point& point);

  /// What any price proves holds for every k: max D - k lambda0 (7.2)
  void share_bounds();

  problem::Problem<L> free_;
  solve::SearchSettings settings_;
  core::Stop& stop_;
  PathProgress& progress_;
  std::shared_ptr<solve::FeatureGram> gram_ = std::make_shared<solve::FeatureGram>(free_.features);
  std::vector<Point> points_;
};

}  // namespace ellzero::select
