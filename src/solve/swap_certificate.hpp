// Whether some exchange of a used feature for an unused one, other coefficients fixed, lowers P (5.3): all pairs.
#pragma once

#include <span>
#include <vector>

#include "core/stop.hpp"
#include "problem/problem.hpp"
#include "screening/lazy_tau.hpp"
#include "solve/descent.hpp"
#include "solve/incumbent.hpp"

namespace ellzero::solve {

struct Exchange {
  bool complete = false;  ///< every pair was looked at
  bool pays = false;
  Index out = -1;
  Index in = -1;
};

/// A used feature leaves: what that does to alpha, and the gain an entry must bring to make up for it.
struct Departure {
  Index out;
  problem::Coefficients beta;  ///< without it
  double needed;
  std::vector<double> change;  ///< of alpha
  double sum = 0;              ///< of that change
  double along = 0;            ///< change / sqrt(w) is `along` times v / sqrt(w) and, orthogonal to that,
  double across = 0;           ///< something of this length
};

/// Looks for an exchange that pays. Columns that some departure could make worth while, by bounds on how far tau is and
/// can move, are read once for all departures of a group.
template <class L>
class ExchangeSearch {
 public:
  ExchangeSearch(const problem::Problem<L>& problem, const Incumbent& at, screening::LazyTau& tau, core::Stop& stop);

  /// Ends, incomplete, where more products of columns would be needed.
  Exchange run(Index most_products);

 private:
  /// Whether feature j could gain more than some departure needs, with its tau within radius of this one.
  [[nodiscard]] bool possible(std::span<const Departure> departures, Index j, double tau, double radius) const;

  /// An exchange by which feature j enters, if one pays.
  Exchange with(std::span<const Departure> departures, Index j);

  const problem::Problem<L>& problem_;
  const Incumbent& at_;
  screening::LazyTau& tau_;
  core::Stop& stop_;
  double target_;
  std::vector<double> alpha_;
  double sum_alpha_;
  double vv_ =
      0;  // of v, the alpha whose products with all features are at hand: part of x_j' change follows from them
  std::vector<char> used_;
};

}  // namespace ellzero::solve
