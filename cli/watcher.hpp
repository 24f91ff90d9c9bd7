// Watches a computation: Ctrl-C and SIGTERM stop it in good order, and a terminal sees how far it has come.
#pragma once

#include <csignal>
#include <limits>

#include "cli/trace_file.hpp"
#include "ellzero/observer.hpp"

namespace ellzero::cli {

/// One line that is written over, a table that grows, one JSON object per line, or nothing.
enum class ProgressStyle { None, Line, Table, Json };

/// Holds both signals while it lives. The first asks the computation to stop; another one ends the program at once.
class Watcher : public Observer {
 public:
  /// Progress goes to stderr.
  explicit Watcher(ProgressStyle style, TraceFile* trace = nullptr);
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() override;

  void on_progress(const Progress& progress) override;
  void on_iteration(const Iteration& iteration) override;
  bool should_stop() override;

 private:
  void show_last();
  void show_line(const Progress& progress);
  void show_row(const Progress& progress);
  void clear_line();

  ProgressStyle style_;
  TraceFile* trace_;
  bool line_is_open_ = false;
  bool head_is_shown_ = false;
  bool last_is_shown_ = true;
  double last_shown_ = -1;
  Progress last_{"", 0, std::numeric_limits<double>::quiet_NaN(), 0, 0};
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace ellzero::cli
