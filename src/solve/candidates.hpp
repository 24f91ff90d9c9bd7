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
      : problem_(problem), columns_(std::move(columns)), active_(problem.features.gather(columns_)) {}

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

  /// Unfinished, and of no use, if it is time to stop. b'Gb/2 - c'b stands for the loss around the coefficients beta
  /// with predictor u; exact for squared loss.
  [[nodiscard]] GramModel model(const problem::Coefficients& beta, std::span<const double> u, core::Stop& stop) const {
    const std::size_t n = u.size();
    std::vector<double> alpha(n), h(n), work(n, 0.0);
    double sum_alpha = 0, sum_h = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double w = problem_.weights[i], y = problem_.y[i];
      sum_alpha += alpha[i] = w * problem_.loss.derivative(u[i], y);
      sum_h += h[i] = w * std::max(problem_.loss.curvature(u[i], y), 1e-3 / problem_.loss.mu());
    }
    const Index m = active_.cols();
    std::vector<double> x_h(static_cast<std::size_t>(m)), h_mean(x_h.size());
    for (Index c = 0; c < m; ++c) {
      x_h[c] = active_.dot(c, h);
      h_mean[c] = x_h[c] - active_.centre(c) * sum_h;
    }
    GramModel model;
    model.size = m;
    model.lambda1 = problem_.penalty.lambdas().lambda1;
    model.lambda2 = problem_.penalty.lambdas().lambda2;
    model.G.resize(static_cast<std::size_t>(m * m));
    std::vector<Index> before;
    std::vector<double> row(static_cast<std::size_t>(m));
    for (Index c = 0; c < m && !stop.now(); ++c) {
      before.push_back(c);
      gram_row(active_, c, before, {h, sum_h, x_h}, work, row);
      for (Index d = 0; d <= c; ++d) {
        const double along_intercept = problem_.intercept ? h_mean[c] * h_mean[d] / sum_h : 0;
        model.G[c * m + d] = model.G[d * m + c] = row[d] - along_intercept;
      }
    }
    for (Index c = 0; c < m; ++c) {
      model.c.push_back(-(active_.dot(c, alpha) - active_.centre(c) * sum_alpha));
      model.jump.push_back(problem_.penalty[columns_[c]].jump());
      model.fixed.push_back(problem_.penalty.always_in(columns_[c]) ? 1 : 0);
    }
    for (std::size_t k = 0; k < beta.support.size(); ++k) {
      const auto place = places({&beta.support[k], 1});
      if (place.empty()) continue;
      for (Index c = 0; c < m; ++c) model.c[c] += model.G[c * m + place[0]] * beta.values[k];
    }
    return model;
  }

 private:
  using Active = decltype(std::declval<const F&>().gather(std::span<const Index>()));
  const problem::Problem<F, L>& problem_;
  std::vector<Index> columns_;  // ascending
  Active active_;
};

}  // namespace ellzero::solve
