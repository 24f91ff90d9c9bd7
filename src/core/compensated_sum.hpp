// A running sum whose error does not grow with the number of terms (Neumaier).
#pragma once

#include <cmath>

namespace ellzero::core {

class CompensatedSum {
 public:
  void add(double x) {
    const double total = sum_ + x;
    // The part of x or of sum_ that the addition rounded away; an infinite total has no such part.
    if (std::isfinite(total)) lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - total) + x : (x - total) + sum_;
    sum_ = total;
  }
  void add(const CompensatedSum& other) {
    add(other.sum_);
    lost_ += other.lost_;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace ellzero::core
