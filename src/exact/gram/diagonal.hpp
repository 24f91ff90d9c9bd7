// Which diagonal to move from a Gram matrix into the ridge prices, so that the relaxation gets tighter (7.3).
//
// To first order only fractional features gain: by z (1 - z) k^2 for each unit of lambda2_j. Others may give: those
// that are in lose nothing down to lambda2_j = 0; a feature at 0 stays there while |tau_j| <= lambda1 + 2 sqrt(lambda0
// lambda2_j), one beyond its knee while that stays below |b_j|. With what they give,
//
//   maximise sum_F gain_j d_j   subject to   H + diag(given) - diag(d) psd
//
// is solved on the fractional features by coordinate ascent with a barrier, on S^-1 = ((H + diag(given))^-1)_FF.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ellzero/dataset.hpp"
#include "exact/gram/quadratic.hpp"
#include "penalty/coordinate.hpp"

namespace ellzero::exact::gram {

/// What one feature would gain or can give.
struct DiagonalShare {
  double gain = 0;  ///< for each unit; 0 if it is to give
  double give = 0;  ///< of 2 lambda2_j
};

/// At a relaxed solution with coefficient b and tau; `share_of_room` of what a feature can give is given.
DiagonalShare diagonal_share(const penalty::Coordinate& free, bool in, double b, double tau, double share_of_room);

/// d for the features that gain, from the matrix S^-1 (f x f, overwritten) and their gains; empty if nothing is
/// certain.
std::vector<double> best_diagonal(std::span<double> S_inverse, std::span<const double> gain);

/// (M^-1)_FF for the symmetric positive definite M (m x m) and the rows F; false if M is not clearly positive definite.
bool inverse_block(std::span<double> M, std::span<const Index> rows, std::vector<double>& block);

/// Moves a share of every feature's own curvature, as large as H allows: what makes bounds possible without ridge.
/// False if H is too large, or not clearly positive definite.
bool strengthen_all(Quadratic& quadratic);

/// The same choice in sample space, for more features than samples: S = Z_F' (I + sum_R z_j z_j' / give_j)^-1 Z_F,
/// where z_j = sqrt(w) x~_j.
class SampleKernel {
 public:
  explicit SampleKernel(Index samples);
  ~SampleKernel();
  /// A feature that gives.
  void add_giver(std::span<const double> z, double give);
  /// A feature that gains.
  void add_gainer(std::span<const double> z, double gain);
  /// d of the gainers, in their order; empty if nothing is certain.
  std::vector<double> best();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether a Cholesky factorisation of the symmetric matrix M (m x m, overwritten) goes through.
bool is_positive_definite(std::span<double> M, std::size_t m);

}  // namespace ellzero::exact::gram
