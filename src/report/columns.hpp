// Standard deviations of features, each computed when it is first asked for: a report needs those of few.
#pragma once

#include <unordered_map>

#include "ellzero/dataset.hpp"

namespace ellzero::report {

class Columns {
 public:
  /// Borrows.
  explicit Columns(const Dataset& data) : data_(data) {}
  /// Over the samples of positive weight, by their weights.
  double deviation(Index j);

 private:
  const Dataset& data_;
  std::unordered_map<Index, double> known_;
};

}  // namespace ellzero::report
