// The second-order model of a problem on a few candidate columns, which local search moves in.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "problem/problem.hpp"
#include "solve/gram.hpp"
#include "solve/gram_search.hpp"

namespace ellzero::solve {

template <class F, class L>
class Candidates {
 public:
  Candidates(const problem::Problem<F, L>& problem, std::vector<Index> columns)
      : problem_(problem), columns_(std::move(columns)) {}

  [[nodiscard]] std::span<const Index> columns() const { return columns_; }

  /// Places of features among the candidates; those that are not candidates are left out.
  [[nodiscard]] std::vector<Index> places(std::span<const Index> features) const {
    std::vector<Index> result;
    for (const Index j : features) {
      const auto at = std::lower_bound(columns_.begin(), columns_.end(), j);
      if (at != columns_.end() && *at == j) result.push_back(at - columns_.begin());
    }
    return result;
  }

  [[nodiscard]] std::vector<Index> features(std::span<const Index> places) const {
    std::vector<Index> result;
    for (const Index c : places) result.push_back(columns_[c]);
    std::sort(result.begin(), result.end());
    return result;
  }

  /// b'Gb/2 - c'b stands for the loss around the coefficients beta with predictor u. For squared loss it is the loss,
  /// wherever beta is, and made once. Unfinished, and of no use, if it is time to stop.
  const GramModel& model(const problem::Coefficients& beta, std::span<const double> u, core::Stop& stop) {
    if (L::quadratic && finished_) return model_;
    const std::size_t n = u.size();
    std::vector<double> alpha(n), h(n);
    double sum_alpha = 0, sum_h = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double w = problem_.weights[i], y = problem_.y[i];
      sum_alpha += alpha[i] = w * problem_.loss.derivative(u[i], y);
      sum_h += h[i] = w * std::max(problem_.loss.curvature(u[i], y), 1e-3 / problem_.loss.mu());
    }
    const auto active = problem_.features.gather(columns_);
    const Index m = active.cols();
    model_.size = m;
    model_.lambda1 = problem_.penalty.lambdas().lambda1;
    model_.lambda2 = problem_.penalty.lambdas().lambda2;
    multiply(active, h, sum_h, stop);
    model_.c.clear();
    model_.jump.clear();
    model_.fixed.clear();
    for (Index c = 0; c < m; ++c) {
      model_.c.push_back(-(active.dot(c, alpha) - active.centre(c) * sum_alpha));
      model_.jump.push_back(problem_.penalty[columns_[c]].jump());
      model_.fixed.push_back(problem_.penalty.always_in(columns_[c]) ? 1 : 0);
    }
    for (std::size_t k = 0; k < beta.support.size(); ++k) {
      const auto place = places({&beta.support[k], 1});
      if (place.empty()) continue;
      for (Index c = 0; c < m; ++c) model_.c[c] += model_.gram(c, place[0]) * beta.values[k];
    }
    finished_ = !stop.now();
    return model_;
  }

 private:
  /// G: inner products in the metric of h, the intercept at its best.
  template <class Active>
  void multiply(const Active& active, std::span<const double> h, double sum_h, core::Stop& stop) {
    const Index m = active.cols();
    std::vector<double> x_h(static_cast<std::size_t>(m)), h_mean(x_h.size()), work(h.size(), 0.0);
    for (Index c = 0; c < m; ++c) {
      x_h[c] = active.dot(c, h);
      h_mean[c] = x_h[c] - active.centre(c) * sum_h;
    }
    model_.G.resize(static_cast<std::size_t>(m * (m + 1) / 2));
    std::vector<Index> before;
    for (Index c = 0; c < m && !stop.now(); ++c) {
      before.push_back(c);
      const auto row = std::span(model_.G).subspan(static_cast<std::size_t>(c * (c + 1) / 2), before.size());
      gram_row(active, c, before, {h, sum_h, x_h}, work, row);
      if (problem_.intercept)
        for (Index d = 0; d <= c; ++d) row[d] -= h_mean[c] * h_mean[d] / sum_h;
    }
  }

  const problem::Problem<F, L>& problem_;
  std::vector<Index> columns_;  // ascending
  GramModel model_;
  bool finished_ = false;
};

}  // namespace ellzero::solve
