// predict(): the linear predictor of a model on any rows, from any kind of matrix.
#pragma once

#include <span>
#include <vector>

#include "ellzero/dataset.hpp"

namespace ellzero {

/// u_i = offset_i + intercept + sum_c x_{i, support[c]} coefficients[c], one per row (1.1). An empty offset is 0. Only
/// the columns of `support` are looked at. Throws Error for features that are no columns of X, lengths that do not fit
/// and entries that are not finite.
std::vector<double> predict(const Matrix& X, std::span<const double> offset, double intercept,
                            std::span<const Index> support, std::span<const double> coefficients);

}  // namespace ellzero
