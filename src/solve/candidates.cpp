// The second-order model of candidates.hpp.
#include "solve/candidates.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::solve {

template <class L>
std::vector<Index> Candidates<L>::places(std::span<const Index> features) const {
  std::vector<Index> result;
  for (const Index j : features) {
    const auto at = std::lower_bound(columns_.begin(), columns_.end(), j);
    if (at != columns_.end() && *at == j) result.push_back(at - columns_.begin());
  }
  return result;
}

template <class L>
std::vector<Index> Candidates<L>::features(std::span<const Index> places) const {
  std::vector<Index> result;
  for (const Index c : places) result.push_back(columns_[c]);
  std::sort(result.begin(), result.end());
  return result;
}

template <class L>
const GramModel& Candidates<L>::model(const problem::Coefficients& beta, std::span<const double> u, core::Stop& stop) {
  if (L::quadratic && finished_) return model_;
  const std::size_t n = u.size();
  std::vector<double> alpha(n), h(n);
  double sum_alpha = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double w = problem_.weights[i], y = problem_.y[i];
    sum_alpha += alpha[i] = w * problem_.loss.derivative(u[i], y);
    h[i] = w * std::max(problem_.loss.curvature(u[i], y), 1e-3 / problem_.loss.mu());
  }
  gram_.measure_by(h);
  gram_.know(columns_, stop);
  if (stop.now()) return model_;
  const Index m = std::ssize(columns_);
  model_.size = m;
  model_.lambda1 = problem_.penalty.lambdas().lambda1;
  model_.lambda2 = problem_.penalty.lambdas().lambda2;
  multiply();
  model_.c.clear();
  model_.jump.clear();
  model_.fixed.clear();
  for (const Index j : columns_) {
    model_.c.push_back(-gram_.dot(j, alpha, sum_alpha));
    model_.jump.push_back(problem_.penalty[j].jump());
    model_.fixed.push_back(problem_.penalty.always_in(j) ? 1 : 0);
  }
  for (std::size_t k = 0; k < beta.support.size(); ++k) {
    const auto place = places({&beta.support[k], 1});
    if (place.empty()) continue;
    for (Index c = 0; c < m; ++c) model_.c[c] += model_.gram(c, place[0]) * beta.values[k];
  }
  finished_ = true;
  return model_;
}

template <class L>
void Candidates<L>::multiply() {
  const auto m = columns_.size();
  model_.G.resize(m * (m + 1) / 2);
  for (std::size_t c = 0, at = 0; c < m; ++c)
    for (std::size_t d = 0; d <= c; ++d, ++at) {
      model_.G[at] = gram_(columns_[c], columns_[d]);
      if (problem_.intercept) model_.G[at] -= gram_.mean(columns_[c]) * gram_.mean(columns_[d]) / gram_.total();
    }
}

#define INSTANTIATE(L) template class Candidates<L>;
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::solve
