// Watches a computation: Ctrl-C and SIGTERM stop it in good order, and a terminal sees how far it has come.
#pragma once

#include <chrono>
#include <limits>
#include <optional>

#include "cli/interrupts.hpp"
#include "cli/trace_file.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/result.hpp"
#include "io/model/course.hpp"

namespace ellzero::cli {

/// One line that is written over, a table that grows above such a line, the same for a proof and else a line, one JSON
/// object per line, or nothing.
enum class ProgressStyle { None, Line, Table, ProofTable, Json };

class Watcher : public Observer {
 public:
  /// Progress goes to stderr. A time limit fills the bar where no grid does. Where a model is chosen first, only the
  /// proof is of the one problem that is solved in the end.
  explicit Watcher(ProgressStyle style, TraceFile* trace = nullptr, std::optional<double> time_limit = {},
                   bool chooses = false);
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() override;

  void on_progress(const Progress& progress) override;
  void on_iteration(const Iteration& iteration) override;
  bool should_stop() override;

  /// The end of the one problem that was solved; for machines the last event says so, even where no other came.
  /// Returns its course up to there; what a path reports is of many and left out.
  io::model::Course finish(const Result& result);

 private:
  [[nodiscard]] double now() const;
  /// Whether this is about the one problem that is solved in the end.
  [[nodiscard]] bool is_of_the_problem(const Progress& progress) const;
  void show_due();
  void show_row();
  void show_line();
  void clear_line();

  ProgressStyle style_;
  TraceFile* trace_;
  std::optional<double> time_limit_;
  bool chooses_;
  io::model::Course course_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool line_is_open_ = false;
  bool head_is_shown_ = false;
  bool last_is_shown_ = true;
  bool any_ = false;        // on_progress() was called
  double row_time_ = -1;    // when the last row or object was shown
  double line_time_ = 0;    // when the line was
  unsigned int turns_ = 0;  // of the spinner
  Progress last_{"", 0, std::numeric_limits<double>::quiet_NaN(), 0, 0};
  OrderlyStop stop_;
};

}  // namespace ellzero::cli
