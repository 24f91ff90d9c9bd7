// The features a published method works on: gathered, each with its tau, its link and its coefficient.
#pragma once

#include <span>
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
class ActiveSet {
 public:
  explicit ActiveSet(const problem::Problem<L>& problem) : problem_(problem), matrix_(problem.features.gather({})) {}

  /// Zero columns stay out: their coefficients are 0 whatever happens.
  void add(std::span<const Index> features);

  [[nodiscard]] const features::ActiveMatrix& matrix() const { return matrix_; }
  [[nodiscard]] Index size() const { return static_cast<Index>(members.size()); }

  /// u += by x~_c
  void add_column(Index column, double by, std::span<double> u) const;

  /// The nonzero `beta`s, by ascending feature.
  [[nodiscard]] problem::Coefficients coefficients(double intercept) const;

  std::vector<Member> members;

 private:
  const problem::Problem<L>& problem_;
  features::ActiveMatrix matrix_;
};

/// All features, or those that are not zero columns at least.
template <class L>
ActiveSet<L> all_active(const problem::Problem<L>& problem);

}  // namespace ellzero::paper
