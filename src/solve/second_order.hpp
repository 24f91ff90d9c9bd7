// What a second-order step on the nonzero columns works with, and how far along its direction to go.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "ellzero/dataset.hpp"
#include "penalty/coordinate.hpp"
#include "solve/line_search.hpp"

namespace ellzero::solve {

using penalty::Coordinate;

/// 0, or the sign of b times 1 on the linear piece of phi and 2 beyond it.                                        (4.1)
inline int piece(const Coordinate& phi, double b) {
  if (b == 0) return 0;
  const int beyond = std::abs(b) > phi.knee(b) ? 2 : 1;
  return b > 0 ? beyond : -beyond;
}

/// Systems of more unknowns are solved by products with the columns, to a precision that costs.
inline constexpr std::size_t largest_system = 500;

/// One entry per free column, but for H, their system, and breaks, room for the line search.
struct SecondOrder {
  std::vector<Index> free;  ///< the columns that move
  std::vector<const Coordinate*> phi;
  std::vector<double> H, b, d, downhill, step, breaks;

  void reserve(std::size_t cols) {
    free.reserve(cols);
    phi.reserve(cols);
    H.reserve(std::min(cols * cols, largest_system * largest_system));
    for (auto* per_column : {&b, &d, &downhill, &step}) per_column->reserve(cols);
    breaks.reserve(most_breaks * cols + 2);
  }

  /// What belongs to the free columns, from what belongs to all columns.
  void fill(std::span<const double> beta, std::span<const Coordinate* const> coordinates) {
    phi.resize(free.size());
    for (auto* per_column : {&b, &d, &step}) per_column->resize(free.size());
    for (std::size_t c = 0; c < free.size(); ++c) {
      b[c] = beta[free[c]];
      phi[c] = coordinates[free[c]];
    }
  }

  /// Of the gap (4.5), to first order, when this much of the gradient is left.
  [[nodiscard]] double gap_share(std::span<const double> residual) const {
    double total = 0;
    for (std::size_t c = 0; c < b.size(); ++c) total += std::abs(b[c] * residual[c]);
    return total;
  }

  /// Fills `step` with a move by t d that ends at 0 for coefficients that would turn their sign. Returns the change of
  /// the objective without the loss's curvature, column by column: no cancellation of large sums.
  double bend(double t) {
    double change = 0;
    for (std::size_t c = 0; c < free.size(); ++c) {
      const double end = phi[c]->clamp(b[c] + t * d[c]), at = end * b[c] > 0 ? end : 0, by = at - b[c];
      change +=
          piece(*phi[c], b[c]) == piece(*phi[c], at)
              ? by * (0.5 * phi[c]->relaxation_curvature(b[c]) * by - downhill[c])
              : phi[c]->relaxation(at) - phi[c]->relaxation(b[c]) - by * (downhill[c] + phi[c]->relaxation_slope(b[c]));
      step[c] = by;
    }
    return change;
  }

  /// How far to go straight along d, which solves the system with its diagonal raised by damping * squares, up to
  /// `left`.
  double straight(std::span<const double> left, double damping, std::span<const double> squares) {
    // The quadratic has slope tau'd and curvature d'Hd less phi's own: both follow from the system just solved.
    double slope = 0, curvature = 0;
    for (std::size_t c = 0; c < free.size(); ++c) {
      const double own = phi[c]->relaxation_curvature(b[c]) + damping * squares[free[c]];
      slope -= d[c] * (downhill[c] + phi[c]->relaxation_slope(b[c]));
      curvature += d[c] * (downhill[c] - (left.empty() ? 0 : left[c]) - own * d[c]);
    }
    return exact_line_search(slope, curvature, phi, b, d, breaks);
  }
};

}  // namespace ellzero::solve
