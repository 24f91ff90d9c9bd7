// Whether to stop: a time limit and an observer, asked together.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>

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

  /// So many seconds from here, in place of the limit so far.
  void allow(double more_seconds) { limit_ = seconds() + more_seconds; }

  /// True from the first time a limit was seen exceeded. Any thread may ask; the observer is asked by its own only.
  bool now() {
    if (reason_ != none) return true;
    if (observer_ != nullptr && std::this_thread::get_id() == owner_ && observer_->should_stop())
      reason_ = static_cast<int>(Status::Interrupted);
    else if (seconds() > limit_) reason_ = static_cast<int>(Status::TimeLimit);
    return reason_ != none;
  }

  [[nodiscard]] std::optional<Status> reason() const {
    return reason_ == none ? std::nullopt : std::optional(static_cast<Status>(reason_.load()));
  }

  void tell(const Progress& progress) {
    if (observer_ != nullptr) observer_->on_progress(progress);
  }
  void tell(const Iteration& iteration) {
    if (observer_ != nullptr) observer_->on_iteration(iteration);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double limit_;
  Observer* observer_;
  static constexpr int none = -1;
  std::atomic<int> reason_ = none;
  std::thread::id owner_ = std::this_thread::get_id();
};

}  // namespace ellzero::core
