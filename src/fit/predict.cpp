// The front door of predict(): checks the lengths, then one pass over the columns of the model.
#include "ellzero/predict.hpp"

#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "features/entries.hpp"
#include "features/make_source.hpp"

namespace ellzero {
namespace {

void check(Index rows, Index cols, std::span<const double> offset, std::span<const Index> support,
           std::span<const double> coefficients) {
  if (rows < 0) throw Error(ErrorCode::Data, fmt::format("X: has {} rows; expected 0 or more", rows));
  if (!offset.empty() && static_cast<Index>(offset.size()) != rows)
    throw Error(ErrorCode::Data,
                fmt::format("offset: length is {}; expected {}, the number of rows of X", offset.size(), rows));
  if (coefficients.size() != support.size())
    throw Error(ErrorCode::Usage, fmt::format("coefficients: length is {}; expected {}, one for each of support",
                                              coefficients.size(), support.size()));
  for (const Index j : support)
    if (j < 0 || j >= cols)
      throw Error(ErrorCode::Data, fmt::format("support: feature {}; expected 0 to {}, the columns of X", j, cols - 1));
}

}  // namespace

std::vector<double> predict(const Matrix& X, std::span<const double> offset, double intercept,
                            std::span<const Index> support, std::span<const double> coefficients) {
  const auto [rows, cols] = shape(X);
  check(rows, cols, offset, support, coefficients);
  std::vector<double> u(static_cast<std::size_t>(rows), intercept);  // (1.1)
  for (std::size_t i = 0; i < offset.size(); ++i) u[i] += offset[i];
  for (std::size_t c = 0; c < support.size(); ++c) {
    const auto add = [&](Index i, double x) {
      if (!std::isfinite(x)) features::refuse_entry(i, support[c], x);
      u[i] += x * coefficients[c];
    };
    std::visit([&](const auto& columns) { features::for_each_entry(columns, support[c], add); }, X);
  }
  return u;
}

}  // namespace ellzero
