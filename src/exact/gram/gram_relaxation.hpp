// Relaxations of a subtree's nodes in Gram space, for squared loss.
//
//   min constant + b'Hb/2 - c'b + sum_{free} phi_j(b_j) + sum_{in} g_j(b_j) without the jump                      (7.1)
//
// 1. cycles of coordinate steps (4.3) over all features, then over the nonzero ones; tau = Hb - c is kept up to date
// 2. when the pieces of phi have settled, one second-order step with an exact line search
// 3. stop when the bound prunes, or cannot, or the relaxation's gap (4.5) is small
// bound: constant - b'Hb/2 + sum_j Psi_j(tau_j), with everything that rounding may have added taken off           (7.3)
//
// Features near their threshold are held side by side; the others are looked at only when alpha has moved far   (6.3)
// A step costs one row of H; a second-order step one Cholesky factorisation of the nonzeros.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "exact/gram/compact.hpp"
#include "exact/gram/quadratic.hpp"
#include "exact/node.hpp"

namespace ellzero::exact::gram {

class GramRelaxation {
 public:
  GramRelaxation(const Quadratic& quadratic, const OpenNode& root);

  [[nodiscard]] Index size() const { return q_.size(); }
  [[nodiscard]] Index feature(Index i) const { return q_.features[i]; }
  [[nodiscard]] const Coordinate& free(Index i) const { return q_.free[i]; }
  void begin(std::vector<Fix>& fixes, std::vector<double>& b) const;
  double solve(std::vector<Fix>& fixes, std::vector<double>& b, const NodeGoal& goal);
  [[nodiscard]] problem::Coefficients point(std::span<const double> b) const;
  [[nodiscard]] static double intercept() { return 0; }  // absorbed
  [[nodiscard]] std::span<const double> diagonal() const { return q_.d; }
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] double bound_if_in(Index i) const { return bound_ - psi_[i] + psi_in_[i]; }
  [[nodiscard]] double bound_if_out(Index i) const { return bound_ - psi_[i]; }
  bool settle(std::span<const Fix> fixes, std::span<const double> b, double bound, double cutoff, double& discarded);
  [[nodiscard]] bool outgrown(std::span<const Fix> fixes, double bound, double cutoff) const;
  [[nodiscard]] bool complete() const { return q_.far.empty(); }
  [[nodiscard]] std::vector<Index> alive() const;

 private:
  void start();
  bool cycle(bool nonzero_only);
  void evaluate();
  void move(Index i, double next);
  void second_order_step();
  void descend(const NodeGoal& goal);
  double prove();
  void take_wanted();
  double far_psi(double length, double error);
  void settle_far(std::span<const double> b, double bound, double cutoff, double& discarded);
  bool strengthen(std::span<const Fix> fixes, std::span<const double> b);
  [[nodiscard]] const Coordinate& phi(Index i) const { return (*fixes_)[i] == Fix::In ? q_.in[i] : q_.free[i]; }

  const Quadratic& quadratic_;
  Compact q_;
  std::size_t in_;  // how many of the first features the subtree's root has decided for
  std::vector<Fix>* fixes_ = nullptr;
  std::vector<double>* b_ = nullptr;
  std::vector<double> tau_, psi_, psi_in_;
  double value_ = 0, dual_ = 0, bound_ = 0;

  std::ptrdiff_t alive_at_root_ = 0;
  double room_at_root_ = 0;  // between the bound of the subtree's root and the cutoff

  std::vector<double> far_tau_;
  std::vector<std::pair<double, std::size_t>> wanted_;  // Psi and place of far features that take from the bound
  double far_psi_ = 0;                                  // and how much in all

  std::vector<Index> free_;
  std::vector<const Coordinate*> phi_;
  std::vector<double> system_, from_, step_, downhill_, breaks_;
};

static_assert(Relaxation<GramRelaxation>);

}  // namespace ellzero::exact::gram
