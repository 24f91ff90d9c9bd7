// The observer of a computation that Python has started: it looks for Ctrl-C and tells the user's callback.
#pragma once

#include <chrono>

#include <nanobind/nanobind.h>

#include "ellzero/observer.hpp"
#include "python/raised.hpp"

namespace ellzero::python {

/// Runs without Python's lock and takes it for what it tells Python. What the callback or a signal handler raises goes
/// through the computation as nb::python_error.
class Watcher final : public Observer {
 public:
  /// callback(stage, seconds, objective, lower_bound, nonzeros, nodes, open, point, points): a true answer ends the
  /// computation. What is raised goes to `raised` as well.
  Watcher(nanobind::handle callback, Raised& raised) : callback_(callback), raised_(raised) {}

  void on_progress(const Progress& progress) override {
    if (!callback_.is_none()) raised_.watch([&] { tell(progress); });
  }

  bool should_stop() override {
    const auto now = std::chrono::steady_clock::now();
    if (stop_ || now < next_) return stop_;
    next_ = now + std::chrono::milliseconds(20);
    raised_.watch([] {
      const nanobind::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    });
    return false;
  }

 private:
  void tell(const Progress& progress) {
    const nanobind::gil_scoped_acquire lock;
    const nanobind::object answer = callback_(
        nanobind::str(progress.stage.data(), progress.stage.size()), progress.seconds, progress.objective,
        progress.lower_bound, progress.nonzeros, progress.nodes, progress.open, progress.point, progress.points);
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw nanobind::python_error();
    stop_ = stop_ || truth == 1;
  }

  nanobind::handle callback_;
  Raised& raised_;
  bool stop_ = false;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

}  // namespace ellzero::python
