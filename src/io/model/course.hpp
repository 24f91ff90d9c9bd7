// The course of a computation: how the best solution and the bound came together over time, in few moments.
#pragma once

#include <vector>

#include "ellzero/dataset.hpp"

namespace ellzero::io::model {

struct Moment {
  double seconds = 0;
  double objective = 0;    ///< NaN while there is no solution
  double lower_bound = 0;  ///< NaN while there is no bound
  Index nodes = 0;
};

/// Keeps the first moment, the last, and of those between as many as `limit` allows: where they lie closest on a
/// logarithmic axis of time, one goes.
class Course {
 public:
  static constexpr std::size_t limit = 200;

  void add(const Moment& moment);
  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }

 private:
  std::vector<Moment> moments_;
};

}  // namespace ellzero::io::model
