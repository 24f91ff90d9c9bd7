// Signals and the progress line of watcher.hpp.
#include "cli/watcher.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace ellzero::cli {
namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t stop_requested = 0;

extern "C" void request_stop(int /*signal*/) { stop_requested = 1; }

}  // namespace

Watcher::Watcher(bool quiet) : shows_progress_(!quiet && ::isatty(STDERR_FILENO) != 0) {
  stop_requested = 0;
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
}

Watcher::~Watcher() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
  clear_line();
}

void Watcher::on_progress(const Progress& progress) {
  constexpr double seconds_between = 0.1;
  if (!shows_progress_ || progress.seconds < last_shown_ + seconds_between) return;
  last_shown_ = progress.seconds;
  const double gap = (progress.objective - progress.lower_bound) / std::abs(progress.objective);
  fmt::print(stderr, "\r\x1b[K{:.1f} s  {}: {} features, objective {:.6g}{}", progress.seconds, progress.stage,
             progress.nonzeros, progress.objective, std::isfinite(gap) ? fmt::format(", gap {:.2g} %", 100 * gap) : "");
  std::fflush(stderr);
  line_is_open_ = true;
}

bool Watcher::should_stop() { return stop_requested != 0; }

void Watcher::clear_line() {
  if (!line_is_open_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  line_is_open_ = false;
}

}  // namespace ellzero::cli
