// Watches a computation: Ctrl-C and SIGTERM stop it in good order, and a terminal sees how far it has come.
#pragma once

#include <csignal>

#include "ellzero/observer.hpp"

namespace ellzero::cli {

/// Holds both signals while it lives. The first asks the computation to stop; another one ends the program at once.
class Watcher : public Observer {
 public:
  /// Progress goes to stderr if it is a terminal and `quiet` is not set.
  explicit Watcher(bool quiet);
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() override;

  void on_progress(const Progress& progress) override;
  bool should_stop() override;

 private:
  void clear_line();

  bool shows_progress_;
  bool line_is_open_ = false;
  double last_shown_ = -1;
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace ellzero::cli
