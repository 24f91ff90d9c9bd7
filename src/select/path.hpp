// The walk over a grid of prices: models that learn from one another, each with a bound of its own.
//
// 1. at every price the engine runs just as it does for a single fit, so no point of a path is worse than that; what it
//    learns of X serves all prices
// 2. every support found goes into a pool: at another price it costs base(S) + lambda0 |S|, one product (1.4)
// 3. a point that some support of the pool suits better, from a higher price, a lower one or another row of the grid,
//    takes it and searches on from there; until nobody wants to change
// A row has one lambda1 and one lambda2; neighbouring rows hand each other their supports, which are fitted anew.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "screening/lazy_tau.hpp"
#include "select/budget.hpp"
#include "select/grid.hpp"
#include "select/neighbours.hpp"
#include "solve/engine.hpp"

namespace ellzero::select {

/// How far a path is, for the observer.
struct PathProgress {
  Index point = 0;
  Index points = 0;  ///< 0: not known beforehand
};

/// One row of a path over prices.
template <class L>
class PricePath {
 public:
  struct Point {
    double lambda0 = 0;
    solve::EngineOutcome outcome;
    Line line;
    std::optional<Status> limit = {};  ///< what cut it short
    double seconds = 0;                ///< that it took
  };

  /// `free` has lambda1 and lambda2 of the row, and price 0.
  PricePath(problem::Problem<L> free, const solve::SearchSettings& settings, core::Stop& stop, PathProgress& progress,
            std::shared_ptr<solve::FeatureGram> gram)
      : free_(std::move(free)),
        settings_(settings),
        stop_(stop),
        progress_(progress),
        memory_(std::make_shared<solve::SearchMemory>(std::move(gram))) {}

  [[nodiscard]] const problem::Problem<L>& free() const { return free_; }
  [[nodiscard]] std::vector<Point>& points() { return points_; }

  /// The values asked for, from the highest down, until a model has more features than wanted.
  void walk(std::vector<double> grid, Index most_nonzeros);

  /// Values made from the data: from the price at which the empty model is the best down, each just below the one that
  /// lets a feature in; what is left of them, between models of very different sizes, where those cost the same.
  void walk(const MadeGrid& wanted);

  /// Supports of another row, fitted to this one's prices.
  void offer(const PricePath& other);

  /// What another row has found since.
  void learn_from(const PricePath& other);

 private:
  /// Supports go where they cost less than what is there, until none does; or some rounds, where coefficients have no
  /// best size and every look finds a little more.
  void exchange();

  /// A support with its coefficients, which are the best at any price.
  struct Model {
    Line line;
    problem::Coefficients beta;
  };

  static constexpr int most_rounds = 10;

  [[nodiscard]] static Index nonzeros(const Point& point);

  [[nodiscard]] bool room(const MadeGrid& wanted);

  void visit(double lambda0);

  /// A grid made from the data goes up to where no support seen is worth its price: the empty model is the best there.
  void go_up();

  /// What is known of X at the empty model, where the engine begins at any price.
  const screening::LazyTau& products();

  [[nodiscard]] Line line(const solve::Incumbent& at) const;

  Line remember(const solve::Incumbent& found);

  /// Takes the best support of the pool, if it is better than the point's own, and searches on from there.
  bool adopt(Point& point);

  /// A number for each of very many features is not kept at every point.
  void slim(Point& point) const;

  /// Ends after the first model with more features than wanted, and with no more values than wanted.
  void trim();

  problem::Problem<L> free_;
  solve::SearchSettings settings_;
  core::Stop& stop_;
  PathProgress& progress_;
  std::optional<Line> none_;  // without any feature but the always-in ones, for a grid made from the data
  Index most_nonzeros_ = 0;   // the path ends at the first model with more
  std::size_t most_points_ = std::numeric_limits<std::size_t>::max();
  std::optional<screening::LazyTau> products_;
  std::shared_ptr<solve::SearchMemory> memory_;
  problem::Coefficients relaxed_start_;  // where the next relaxation begins
  std::vector<Point> points_;            // prices descend
  std::vector<Model> models_;
};

/// A grid of prices for each pair of lambda2 and lambda1.
struct PriceGrid {
  std::vector<double> lambda0;  ///< none: made from the data
  std::vector<double> lambda1, lambda2;
  MadeGrid made;
};

/// `gram`: products of features, for all rows and whoever else walks the same features.
template <class L>
std::vector<PricePath<L>> walk(const problem::Problem<L>& problem, const PriceGrid& grid,
                               const solve::SearchSettings& settings, core::Stop& stop, PathProgress& progress,
                               const std::shared_ptr<solve::FeatureGram>& gram);

}  // namespace ellzero::select
