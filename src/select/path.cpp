// The walk of path.hpp.
#include "select/path.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "loss/all.hpp"

namespace ellzero::select {
namespace {

constexpr double largest_price = 1e60;  // of any setting: a model with a higher one could not be read again

/// The highest price of a grid that is made from the data: just above that at which the empty model is the best.
double top_of_grid(double price) {
  const double top = just_above(price);
  if (!(top <= largest_price))
    throw Error(ErrorCode::Data,
                fmt::format("y: the prices that its loss asks for begin at lambda0 = {:g}; expected at "
                            "most {:g} (rescale the target, or the weights)",
                            top, largest_price));
  return top;
}

/// Values that are made from the data, too.
void check_ridge(double lambda2) {
  if (!(lambda2 <= largest_price))
    throw Error(ErrorCode::Data,
                fmt::format("lambda2: a value made from the mean squared column norm is {:g}; expected at most {:g} "
                            "(rescale X, or set lambda2)",
                            lambda2, largest_price));
}

}  // namespace

template <class L>
void PricePath<L>::walk(std::vector<double> grid, Index most_nonzeros) {
  most_nonzeros_ = most_nonzeros;
  std::sort(grid.begin(), grid.end(), std::greater<>());
  for (std::size_t m = 0; m < grid.size() && (m == 0 || !stop_.now()); ++m) {
    if (m > 0 && grid[m] == grid[m - 1]) points_.push_back(points_.back());
    else visit(grid[m]);
    if (nonzeros(points_.back()) > most_nonzeros) break;
  }
  exchange();
  trim();
}

template <class L>
void PricePath<L>::walk(const MadeGrid& wanted) {
  const auto empty = solve::best_on_support(free_, always_in(free_.penalty, free_.features.cols()), stop_);
  const Line none = remember(empty);
  none_ = none;
  most_nonzeros_ = wanted.most_nonzeros;
  most_points_ = static_cast<std::size_t>(wanted.values);
  const double negligible = 1e-12 * empty.objective;
  visit(top_of_grid(std::max(none.base - grown(free_, empty, stop_).objective, negligible)));
  go_up();
  while (room(wanted) && nonzeros(points_.back()) <= wanted.most_nonzeros) {
    const Point& last = points_.back();
    const double gain = last.line.base - grown(free_, last.outcome.best, stop_).objective;
    if (gain <= negligible) break;
    visit(just_below(std::min(gain, wanted.ratio() * last.lambda0)));
  }
  exchange();
  go_up();
  for (double price = 1; room(wanted) && price > 0;) {
    std::vector<double> prices;
    std::vector<Line> lines;
    for (const Point& point : points_) {
      prices.push_back(point.lambda0);
      lines.push_back(point.line);
    }
    price = widest_crossing(prices, lines, wanted.most_nonzeros);
    if (price > 0) visit(price);
  }
  exchange();
  go_up();
  trim();
}

template <class L>
void PricePath<L>::offer(const PricePath& other) {
  for (const Point& point : other.points_) {
    if (stop_.now()) return;
    const auto& beta = point.outcome.best.beta;
    auto support = always_in(free_.penalty, free_.features.cols());
    support.insert(support.end(), beta.support.begin(), beta.support.end());
    std::sort(support.begin(), support.end());
    support.erase(std::unique(support.begin(), support.end()), support.end());
    remember(solve::best_on_support(free_, support, stop_, &beta));
  }
}

template <class L>
void PricePath<L>::learn_from(const PricePath& other) {
  offer(other);
  exchange();
  go_up();
  trim();
}

template <class L>
void PricePath<L>::exchange() {
  bool changed = true;
  for (int round = 0; round < most_rounds && changed && !stop_.now(); ++round) {
    changed = false;
    for (Point& point : points_) changed = (!stop_.now() && adopt(point)) || changed;
  }
}

template <class L>
Index PricePath<L>::nonzeros(const Point& point) {
  return static_cast<Index>(point.outcome.best.beta.support.size());
}

template <class L>
bool PricePath<L>::room(const MadeGrid& wanted) {
  return static_cast<int>(points_.size()) < wanted.values && !stop_.now();
}

template <class L>
void PricePath<L>::visit(double lambda0) {
  const double began = stop_.seconds();
  const auto priced = at_price(free_, lambda0);
  solve::Engine<L> engine(priced, settings_, stop_, products(), memory_);
  Point point{lambda0, engine.run(relaxed_start_), {}};
  // What a proof finds, and the search that it guides, must not depend on where it began.
  const bool may_follow = !settings_.proves || engine.is_the_only_solution(point.outcome.bound);
  relaxed_start_ = may_follow ? point.outcome.bound.beta : problem::Coefficients{};
  if (!settings_.proves) products_ = std::move(engine).tau();
  point.line = remember(point.outcome.best);
  point.limit = stop_.reason();
  adopt(point);
  point.seconds = stop_.seconds() - began;
  ++progress_.point;
  stop_.tell(Progress{.stage = "path",
                      .seconds = stop_.seconds(),
                      .objective = point.outcome.best.objective,
                      .lower_bound = point.outcome.bound.lower_bound,
                      .nonzeros = nonzeros(point),
                      .point = progress_.point,
                      .points = progress_.points});
  slim(point);
  const auto place = std::find_if(points_.begin(), points_.end(), [&](const Point& p) { return p.lambda0 < lambda0; });
  points_.insert(place, std::move(point));
}

template <class L>
void PricePath<L>::go_up() {
  for (int round = 0; none_ && round < most_rounds && !stop_.now(); ++round) {
    double price = 0;
    for (const Model& model : models_)
      if (model.line.size > none_->size) price = std::max(price, crossing(*none_, model.line));
    if (!(price > points_.front().lambda0)) break;
    visit(top_of_grid(price));
  }
}

template <class L>
const screening::LazyTau& PricePath<L>::products() {
  if (!products_) {
    solve::RelaxedSolver<L> solver(free_);
    solve::RelaxedSettings one_sweep;
    one_sweep.tolerance = std::numeric_limits<double>::max();
    one_sweep.every_tau = false;
    (void)solver.solve(one_sweep, stop_);
    products_ = std::move(solver).tau();
  }
  return *products_;
}

template <class L>
Line PricePath<L>::line(const solve::Incumbent& at) const {
  Index size = free_.penalty.always_in_count();
  for (const Index j : at.beta.support) size += free_.penalty.always_in(j) ? 0 : 1;
  return {problem::objective(free_, at.u, at.beta), size};
}

template <class L>
Line PricePath<L>::remember(const solve::Incumbent& found) {
  models_.push_back({line(found), found.beta});
  return models_.back().line;
}

template <class L>
bool PricePath<L>::adopt(Point& point) {
  const auto cheaper = [&](const Model& a, const Model& b) {
    return a.line.at(point.lambda0) < b.line.at(point.lambda0);
  };
  const auto cheapest = std::min_element(models_.begin(), models_.end(), cheaper);
  const double own = point.outcome.best.objective, enough = own - 1e-11 * std::abs(own);
  if (!(cheapest->line.at(point.lambda0) < enough)) return false;
  const double began = stop_.seconds();
  const auto priced = at_price(free_, point.lambda0);
  auto from = solve::completed(priced, cheapest->beta);
  if (!(from.objective < enough)) return false;
  solve::Engine<L>(priced, settings_, stop_, products(), memory_).go_on(std::move(from), point.outcome);
  point.line = remember(point.outcome.best);
  if (!point.limit) point.limit = stop_.reason();
  point.seconds += stop_.seconds() - began;
  slim(point);
  return true;
}

template <class L>
void PricePath<L>::slim(Point& point) const {
  if (free_.features.cols() > (Index{1} << 16)) solve::forget_tau(point.outcome.bound);
}

template <class L>
void PricePath<L>::trim() {
  const auto beyond = std::find_if(points_.begin(), points_.end(),
                                   [&](const Point& point) { return nonzeros(point) > most_nonzeros_; });
  if (beyond != points_.end()) points_.erase(beyond + 1, points_.end());
  if (points_.size() > most_points_) points_.resize(most_points_);
}

template <class L>
std::vector<PricePath<L>> walk(const problem::Problem<L>& problem, const PriceGrid& grid,
                               const solve::SearchSettings& settings, core::Stop& stop, PathProgress& progress,
                               const std::shared_ptr<solve::FeatureGram>& gram) {
  std::vector<PricePath<L>> rows;
  progress.points = static_cast<Index>(grid.lambda0.size() * grid.lambda1.size() * grid.lambda2.size());
  std::for_each(grid.lambda2.begin(), grid.lambda2.end(), check_ridge);
  for (const double lambda2 : grid.lambda2)
    for (const double lambda1 : grid.lambda1) {
      if (!rows.empty() && stop.now()) return rows;
      auto row = problem;
      row.penalty = problem.penalty.with({0, lambda1, lambda2});
      rows.emplace_back(std::move(row), settings, stop, progress, gram);
      if (rows.size() > 1) rows.back().offer(rows[rows.size() - 2]);
      if (grid.lambda0.empty()) rows.back().walk(grid.made);
      else rows.back().walk(grid.lambda0, grid.made.most_nonzeros);
    }
  for (std::size_t r = rows.size(); r-- > 1 && !stop.now();) rows[r - 1].learn_from(rows[r]);
  return rows;
}

#define INSTANTIATE(L)                                                                               \
  template class PricePath<L>;                                                                       \
  template std::vector<PricePath<L>> walk(const problem::Problem<L>& problem, const PriceGrid& grid, \
                                          const solve::SearchSettings& settings, core::Stop& stop,   \
                                          PathProgress& progress, const std::shared_ptr<solve::FeatureGram>& gram);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::select
