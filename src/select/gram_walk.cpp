// The walk of gram_walk.hpp.
#include "select/gram_walk.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "solve/spd.hpp"

namespace ellzero::select {
namespace {

constexpr std::size_t first_candidates = 100, let_in_at_once = 20;

double square(double x) { return x * x; }

}  // namespace

GramWalk::GramWalk(const problem::Problem<loss::Squared>& problem, core::Stop& stop)
    : problem_(problem),
      stop_(stop),
      gram_(problem.features),
      place_(static_cast<std::size_t>(problem.features.cols()), -1),
      c_(place_.size()) {
  const auto n = static_cast<std::size_t>(problem.features.rows());
  std::vector<double> target(n);
  double total = 0, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    target[i] = problem.y[i] - problem.offset[i];
    total += problem.weights[i];
    mean_ += problem.weights[i] * target[i];
  }
  mean_ = problem.intercept ? mean_ / total : 0;
  for (std::size_t i = 0; i < n; ++i) {
    target[i] -= mean_;
    constant_ += 0.5 * problem.weights[i] * square(target[i]);
    sum += target[i] *= problem.weights[i];
  }
  (void)problem.features.sweep(target, sum, features::StoreAll{c_});
  std::vector<Index> features;
  for (Index j = 0; j < problem.features.cols(); ++j)
    if (problem.features.norm(j) > 0) features.push_back(j);
  usable_ = features.size();
  const auto rank = [&](Index j) {
    return problem.penalty.always_in(j) ? std::numeric_limits<double>::infinity()
                                        : std::abs(c_[j]) / problem.features.norm(j);
  };
  const std::size_t count = std::max(2 * first_candidates >= features.size() ? features.size() : first_candidates,
                                     static_cast<std::size_t>(problem.penalty.always_in_count()));
  if (count < features.size()) {
    std::nth_element(features.begin(), features.begin() + static_cast<std::ptrdiff_t>(count), features.end(),
                     [&](Index a, Index b) { return std::pair(-rank(a), a) < std::pair(-rank(b), b); });
    features.resize(count);
  }
  gram_.measure_by(problem.weights);
  add_candidates(std::move(features));
}

void GramWalk::add_candidates(std::vector<Index> features) {
  std::sort(features.begin(), features.end());
  const std::size_t before = candidates_.size();
  candidates_.insert(candidates_.end(), features.begin(), features.end());
  gram_.know(candidates_, stop_);
  if (stop_.now()) return candidates_.resize(before);  // nothing is known of the new ones
  for (std::size_t a = before; a < candidates_.size(); ++a) {
    const Index j = candidates_[a];
    place_[j] = static_cast<Index>(a);
    model_.c.push_back(c_[j]);
    model_.fixed.push_back(problem_.penalty.always_in(j) ? 1 : 0);
    for (std::size_t b = 0; b <= a; ++b) {
      const Index k = candidates_[b];
      const double centred = problem_.intercept ? gram_.mean(j) * gram_.mean(k) / gram_.total() : 0;
      model_.G.push_back(gram_(j, k) - centred);
    }
  }
  model_.size = std::ssize(candidates_);
  search_.emplace(model_);
}

GramWalk::Model GramWalk::model(double price) const {
  Model found{{search_->value(), 0}, search_->support()};
  std::sort(found.support.begin(), found.support.end());
  for (const Index a : found.support) found.line.size += model_.fixed[a] != 0 ? 0 : 1;
  found.line.base -= price * static_cast<double>(found.line.size);
  return found;
}

GramWalk::Model GramWalk::search(double price, const Places& from) {
  Places start = from;
  for (;;) {
    model_.jump.assign(candidates_.size(), price);
    for (std::size_t a = 0; a < candidates_.size(); ++a)
      if (model_.fixed[a] != 0) model_.jump[a] = 0;
    search_->start(start);
    search_->improve(stop_);
    Model found = model(price);
    if (stop_.now() || !let_in(found, price)) return found;
    start = std::move(found.support);
  }
}

bool GramWalk::let_in(const Model& at, double price) {
  if (candidates_.size() == usable_) return false;
  const auto known = best_gain_.find(at.support);
  if (known != best_gain_.end() && known->second <= price) return false;
  const auto u = problem::predictor(problem_, coefficients(at.support, model_.lambda2));
  const auto alpha = problem::gradient(problem_, u);
  std::vector<double> tau(place_.size());
  (void)problem_.features.sweep(alpha, std::accumulate(alpha.begin(), alpha.end(), 0.0), features::StoreAll{tau});
  std::vector<std::pair<double, Index>> entrants;
  double best = 0;
  for (Index j = 0; j < std::ssize(tau); ++j) {
    const double norm = problem_.features.norm(j);
    if (place_[j] >= 0 || !(norm > 0)) continue;
    const double gain = 0.5 * square(tau[j]) / (square(norm) + 2 * model_.lambda2);
    best = std::max(best, gain);
    if (gain > price) entrants.emplace_back(-gain, j);
  }
  best_gain_[at.support] = best;
  if (entrants.empty()) return false;
  std::sort(entrants.begin(), entrants.end());
  entrants.resize(std::min(entrants.size(), let_in_at_once));
  std::vector<Index> features;
  features.reserve(entrants.size());
  for (const auto& entrant : entrants) features.push_back(entrant.second);
  add_candidates(std::move(features));
  return !stop_.now();
}

bool GramWalk::try_from(const Places& from, double price, Model& point) {
  Model found = search(price, from);
  if (!is_better(found, point, price)) return false;
  point = std::move(found);
  models_.push_back(point);
  return true;
}

bool GramWalk::is_better(const Model& a, const Model& b, double price) const {
  constexpr double rounding = 1e-11;
  return a.line.at(price) < b.line.at(price) - rounding * constant_;
}

std::vector<problem::Coefficients> GramWalk::row(double lambda2, std::span<const double> prices) {
  if (stop_.now()) return {};
  model_.lambda2 = lambda2;
  model_.jump.assign(candidates_.size(), 0);
  best_gain_.clear();
  for (Model& other : models_) {  // of other rows: what they are worth here
    search_->start(other.support);
    other = model(0);
  }
  search_->start({});
  std::vector<Model> points(prices.size(), model(0));
  for (std::size_t m = 0; m < prices.size(); ++m) try_from(points[m > 0 ? m - 1 : 0].support, prices[m], points[m]);
  for (std::size_t m = prices.size(); m-- > 1;) try_from(points[m].support, prices[m - 1], points[m - 1]);

  constexpr int most_rounds = 3;
  bool changed = true;
  for (int round = 0; round < most_rounds && changed && !stop_.now(); ++round) {
    changed = false;
    for (std::size_t m = 0; m < prices.size() && !models_.empty(); ++m) {
      const auto cheaper = [&](const Model& a, const Model& b) { return a.line.at(prices[m]) < b.line.at(prices[m]); };
      const Model best = *std::min_element(models_.begin(), models_.end(), cheaper);
      if (is_better(best, points[m], prices[m])) changed = try_from(best.support, prices[m], points[m]) || changed;
    }
  }
  if (stop_.now()) return {};  // products may be forgotten
  std::vector<problem::Coefficients> result;
  result.reserve(points.size());
  for (const Model& point : points) result.push_back(coefficients(point.support, lambda2));
  return result;
}

problem::Coefficients GramWalk::coefficients(const Places& support, double lambda2) const {
  const std::size_t k = support.size();
  std::vector<double> H(k * k), b(k);
  for (std::size_t s = 0; s < k; ++s) {
    b[s] = model_.c[support[s]];
    for (std::size_t t = s; t < k; ++t) H[s * k + t] = model_.gram(support[s], support[t]) + (s == t ? 2 * lambda2 : 0);
  }
  if (!solve::solve_spd(H, b)) std::fill(b.begin(), b.end(), 0.0);
  std::vector<std::pair<Index, double>> entries;
  problem::Coefficients beta{mean_};
  for (std::size_t s = 0; s < k; ++s) {
    const Index j = candidates_[support[s]];
    entries.emplace_back(j, b[s]);
    if (problem_.intercept) beta.intercept -= b[s] * gram_.mean(j) / gram_.total();
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [j, value] : entries) {
    beta.support.push_back(j);
    beta.values.push_back(value);
  }
  return beta;
}

std::optional<problem::Coefficients> GramWalk::refit(std::span<const Index> support) {
  Places places;
  for (const Index j : support) {
    if (place_[j] < 0) return std::nullopt;
    places.push_back(place_[j]);
  }
  const std::size_t k = places.size();
  std::vector<double> H(k * k);
  for (std::size_t s = 0; s < k; ++s)
    for (std::size_t t = s; t < k; ++t) H[s * k + t] = model_.gram(places[s], places[t]);
  if (!solve::is_definite(H, static_cast<Index>(k))) return std::nullopt;
  return coefficients(places, 0);
}

}  // namespace ellzero::select
