// The walk of budget_path.hpp.
#include "select/budget_path.hpp"

#include <cmath>
#include <utility>

#include "loss/all.hpp"

namespace ellzero::select {

template <class L>
void BudgetPath<L>::walk(Index k, Index most_nonzeros) {
  for (Index budget = free_.penalty.always_in_count(); budget <= k; ++budget) {
    if (!points_.empty() && stop_.now()) break;
    visit(budget);
    if (static_cast<Index>(points_.back().outcome.best.beta.support.size()) > most_nonzeros) break;
  }
  exchange();
  share_bounds();
}

template <class L>
void BudgetPath<L>::visit(Index k) {
  const double began = stop_.seconds();
  Point point{k, Budget<L>(free_, k, settings_, stop_, gram_).run()};
  point.limit = stop_.reason();
  point.seconds = stop_.seconds() - began;
  points_.push_back(std::move(point));
  if (points_.size() > 1) from_below(points_.size() - 1);
  const BudgetOutcome& out = points_.back().outcome;
  ++progress_.point;
  stop_.tell(Progress{.stage = "path",
                      .seconds = stop_.seconds(),
                      .objective = out.best.objective,
                      .lower_bound = out.lower_bound,
                      .nonzeros = static_cast<Index>(out.best.beta.support.size()),
                      .point = progress_.point,
                      .points = progress_.points});
}

template <class L>
void BudgetPath<L>::exchange() {
  bool changed = true;
  for (int round = 0; round < 5 && changed && !stop_.now(); ++round) {
    changed = false;
    for (std::size_t i = points_.size(); i-- > 1;) changed = from_above(i - 1) || changed;
    for (std::size_t i = 1; changed && i < points_.size(); ++i) from_below(i);
  }
}

template <class L>
bool BudgetPath<L>::from_below(std::size_t i) {
  if (stop_.now()) return false;
  const auto& below = points_[i - 1].outcome.best;
  return adopt(grown(free_, below, stop_), points_[i]);
}

template <class L>
bool BudgetPath<L>::from_above(std::size_t i) {
  if (stop_.now()) return false;
  const auto& above = points_[i + 1].outcome.best;
  return adopt(shrunk(free_, above, points_[i].k - free_.penalty.always_in_count(), *gram_, stop_), points_[i]);
}

template <class L>
bool BudgetPath<L>::adopt(solve::Incumbent from, Point& point) {
  const double own = point.outcome.best.objective;
  if (stop_.now() || !(from.objective < own - 1e-11 * std::abs(own))) return false;
  const double began = stop_.seconds();
  Budget<L>(free_, point.k, settings_, stop_, gram_).go_on(std::move(from), point.outcome);
  point.seconds += stop_.seconds() - began;
  if (!point.limit) point.limit = stop_.reason();
  return true;
}

template <class L>
void BudgetPath<L>::share_bounds() {
  for (Point& point : points_)
    for (const Point& other : points_) {
      const double cost = static_cast<double>(point.k) * other.outcome.lambda0, D = other.outcome.relaxed.lower_bound;
      const double bound = D - cost - 4 * core::unit_roundoff * (std::abs(D) + cost);
      point.outcome.lower_bound = std::max(point.outcome.lower_bound, bound);
    }
}

#define INSTANTIATE(L) template class BudgetPath<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::select
