// The one computation of columns.hpp.
#include "report/columns.hpp"

#include <cmath>
#include <vector>

#include "ellzero/predict.hpp"

namespace ellzero::report {

double Columns::deviation(Index j) {
  if (const auto found = known_.find(j); found != known_.end()) return found->second;
  // A column is the prediction of the model that has only it, with coefficient 1.
  const Index support[] = {j};
  const double one[] = {1};
  const std::vector<double> x = predict(data_.X, {}, 0, support, one);
  const auto weight = [&](std::size_t i) { return data_.weights.empty() ? 1.0 : data_.weights[i]; };
  double total = 0, mean = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) total += weight(i);
  for (std::size_t i = 0; i < x.size(); ++i) mean += weight(i) / total * x[i];
  for (std::size_t i = 0; i < x.size(); ++i) squares += weight(i) / total * (x[i] - mean) * (x[i] - mean);
  return known_[j] = std::sqrt(squares);
}

}  // namespace ellzero::report
