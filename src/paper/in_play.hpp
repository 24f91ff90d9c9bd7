// The features a published method works on: gathered, each with its tau, its link and its coefficient.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "problem/problem.hpp"

namespace ellzero::paper {

struct Member {
  Index feature;
  Index column;  ///< of the gathered matrix
  const penalty::Coordinate* penalty;
  double lipschitz;  ///< L = sum_i w_i x_ij^2 / mu (5.1)
  double error;      ///< |computed tau - exact tau| is at most this times the norm of alpha
  double tau = 0;    ///< x~_j' alpha
  double link = 0;   ///< beta_j(alpha)                                                                           (3.5)
  double beta = 0;   ///< the primal coefficient
};

template <class L>
class InPlay {
 public:
  explicit InPlay(const problem::Problem<L>& problem) : problem_(problem), matrix_(problem.features.gather({})) {}

  /// Zero columns stay out: their coefficients are 0 whatever happens.
  void add(std::span<const Index> features) {
    std::vector<Index> columns;
    for (const Index j : features) {
      const double norm = problem_.features.norm(j);
      if (norm == 0) continue;
      const Index column = matrix_.cols() + static_cast<Index>(columns.size());
      columns.push_back(j);
      // Gathering rounds every entry twice more than a sweep does.
      const double error = problem_.features.dot_error(j) + 4 * core::unit_roundoff * norm;
      members.push_back({j, column, &problem_.penalty[j], norm * norm / problem_.loss.mu(), error});
    }
    matrix_.append(problem_.features.gather(columns));
  }

  [[nodiscard]] const features::ActiveMatrix& matrix() const { return matrix_; }
  [[nodiscard]] Index size() const { return static_cast<Index>(members.size()); }

  /// u += by x~_c
  void add_column(Index column, double by, std::span<double> u) const {
    matrix_.axpy(column, by, u);
    if (const double shift = by * matrix_.centre(column); shift != 0)
      for (double& ui : u) ui -= shift;
  }

  /// The nonzero `beta`s, by ascending feature.
  [[nodiscard]] problem::Coefficients coefficients(double intercept) const {
    std::vector<std::pair<Index, double>> used;
    for (const Member& m : members)
      if (m.beta != 0) used.emplace_back(m.feature, m.beta);
    std::sort(used.begin(), used.end());
    problem::Coefficients result{intercept};
    for (const auto& [feature, value] : used) {
      result.support.push_back(feature);
      result.values.push_back(value);
    }
    return result;
  }

  std::vector<Member> members;

 private:
  const problem::Problem<L>& problem_;
  features::ActiveMatrix matrix_;
};

/// All features, or those that are not zero columns at least.
template <class L>
InPlay<L> all_in_play(const problem::Problem<L>& problem) {
  std::vector<Index> every(static_cast<std::size_t>(problem.features.cols()));
  for (std::size_t j = 0; j < every.size(); ++j) every[j] = static_cast<Index>(j);
  InPlay<L> play(problem);
  play.add(every);
  return play;
}

}  // namespace ellzero::paper
