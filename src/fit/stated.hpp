// What coefficients cost as they are stated: P of numbers in the user's units, from the data as they were given.
//
// Slopes and intercept are rounded to double, and columns, y and offset may be far from 0 while what they add up to is
// near it. So predictors are added up with twice the digits, and the intercept is chosen for the slopes as they are.
#pragma once

#include <span>

#include "problem/problem.hpp"

namespace ellzero::front {

struct Stated {
  double intercept = 0;
  double objective = 0;
};

/// What slopes in the user's units are stated with; the solver's intercept says where to look for theirs.
template <class L>
Stated state(const problem::Problem<L>& problem, std::span<const Index> support, std::span<const double> slopes,
             double solver_intercept);

}  // namespace ellzero::front
