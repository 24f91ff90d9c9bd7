// Whether to stop: a time limit and an observer, asked together.
#pragma once

#include <chrono>
#include <limits>
#include <optional>

#include "ellzero/observer.hpp"
#include "ellzero/status.hpp"

namespace ellzero::core {

class Stop {
 public:
  Stop(std::optional<double> time_limit, Observer* observer)
      : limit_(time_limit.value_or(std::numeric_limits<double>::infinity())), observer_(observer) {}

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  /// True from the first time a limit was seen exceeded.
  bool now() {
    if (!reason_ && observer_ != nullptr && observer_->should_stop()) reason_ = Status::Interrupted;
    if (!reason_ && seconds() > limit_) reason_ = Status::TimeLimit;
    return reason_.has_value();
  }

  [[nodiscard]] std::optional<Status> reason() const { return reason_; }

  void tell(const Progress& progress) {
    if (observer_ != nullptr) observer_->on_progress(progress);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double limit_;
  Observer* observer_;
  std::optional<Status> reason_;
};

}  // namespace ellzero::core
