// Subsets that shrink where coefficients have an l1 penalty or bounds: each level is a convex fit in Gram space, with
// the objective at its coefficients and a lower bound from their dual point.
//
// The bound is (7.3) with d = 0 over the features of the level,
//
//   constant - b'Hb/2 - sum_j q_j(tau_j),   tau = Hb - c
//
// where q_j is taken over a box that holds the best coefficients of every subset: their objective is at most that of 0,
// so lambda1 |b_j| <= constant, and |b_j| <= 2 |y| sqrt((H^-1)_jj). With delta = objective - bound, coefficients are
// within sqrt(2 delta (Q^-1)_jj) of the best, Q = H + 2 lambda2; and leaving out features D costs at least the least
// v'Qv/2 with v_D = -b_D.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "exact/gram/quadratic.hpp"
#include "exact/sizes/size_search.hpp"

namespace ellzero::exact::sizes {

class PenalisedFits {
 public:
  static constexpr bool free_models = false;

  /// Feature c of the fits is features[c] of the quadratic. The root: all but those of `in` are free.
  PenalisedFits(const gram::Quadratic& quadratic, std::span<const Index> features, std::uint64_t in);

  [[nodiscard]] std::uint64_t in(int level) const { return levels_[level].in; }
  [[nodiscard]] std::span<const int> free(int level) const { return levels_[level].free; }
  [[nodiscard]] double bound(int level) const { return levels_[level].bound; }
  /// Only that of all free features is known.
  void leading_objectives(int level, std::vector<double>& objectives) const;
  void order(int level, std::vector<double>& alone, std::vector<double>& share);
  void drop(int level, int c);
  [[nodiscard]] double rounding(double /*objective*/) const { return rounding_; }
  [[nodiscard]] double tie(double objective) const { return std::min(rounding(objective), largest_tie * constant_); }
  /// Coefficients are bounded, and rounding with them.
  [[nodiscard]] int smallest_doubtful() const { return size_ + 1; }
  [[nodiscard]] std::uint64_t doubtful() const { return 0; }

  /// Objective and features of the models of backward elimination, from all features to those of `in`.
  std::vector<std::pair<double, std::uint64_t>> eliminate();

  /// The best ones of a model, in ascending order of its features.
  std::vector<double> coefficients(std::uint64_t features);

 private:
  struct Level {
    std::uint64_t in = 0;
    std::vector<int> free;
    std::vector<int> members;  // in and free
    std::vector<double> b;     // of all features, 0 outside members
    double objective = 0;
    double bound = 0;
  };

  [[nodiscard]] double h(int i, int j) const { return gram_[i * size_ + j]; }
  void bound_coefficients();
  void bound_rounding(const gram::Quadratic& quadratic, std::span<const Index> features);
  void set_members(Level& level) const;
  void fit(Level& level);
  void cycle(Level& level);
  void newton_step(Level& level);
  void judge(Level& level);
  void update_gradient(const Level& level);
  [[nodiscard]] double conjugate(int j, double tau) const;
  [[nodiscard]] std::vector<double> inverse_diagonal(const Level& level, double* largest_correlation) const;
  /// |b_j| less what it may be off by, and what leaving it out costs at least.
  void measure(const Level& level, std::vector<double>& certain, std::vector<double>& alone) const;

  int size_;
  double constant_;
  double rounding_ = 0;
  std::vector<double> gram_, c_;
  std::vector<penalty::Coordinate> coordinates_;
  std::vector<double> reach_;   // no best coefficient is larger
  std::vector<double> weight_;  // diag(weight) <= Q                                                             (7.3)
  std::vector<double> gradient_;
  std::vector<Level> levels_;
};

}  // namespace ellzero::exact::sizes
