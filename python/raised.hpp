// Raised: the first exception that came out of a user's Python code during a computation.
#pragma once

#include <exception>
#include <mutex>

namespace ellzero::python {

/// Several threads call the user's code. Once one call has raised, the others end at their next call, with the very
/// same exception: whichever thread is asked for it first, it is the one that the user sees.
class Raised {
 public:
  void rethrow_if_any() {
    if (const auto first = peek()) std::rethrow_exception(first);
  }

  /// Keeps what call() throws, unless there is something already, and throws what is kept.
  template <class Call>
  auto watch(Call&& call) {
    try {
      return call();
    } catch (...) {
      std::rethrow_exception(keep(std::current_exception()));
    }
  }

 private:
  std::exception_ptr peek() {
    const std::lock_guard lock(mutex_);
    return first_;
  }
  std::exception_ptr keep(const std::exception_ptr& caught) {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = caught;
    return first_;
  }

  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace ellzero::python
