// Signals and the three kinds of progress of watcher.hpp.
#include "cli/watcher.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace ellzero::cli {
namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t stop_requested = 0;

extern "C" void request_stop(int /*signal*/) { stop_requested = 1; }

double relative_gap(const Progress& progress) {
  return (progress.objective - progress.lower_bound) / std::abs(progress.objective);
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

void print_json(const Progress& progress) {
  fmt::print(stderr,
             "{{\"stage\":\"{}\",\"seconds\":{},\"nodes\":{},\"open\":{},\"objective\":{},\"lower_bound\":{},"
             "\"relative_gap\":{},\"nonzeros\":{}}}\n",
             progress.stage, progress.seconds, progress.nodes, progress.open, json_number(progress.objective),
             json_number(progress.lower_bound), json_number(relative_gap(progress)), progress.nonzeros);
}

}  // namespace

Watcher::Watcher(ProgressStyle style, TraceFile* trace) : style_(style), trace_(trace) {
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
  if (!last_is_shown_ && style_ != ProgressStyle::Line) show_last();
}

void Watcher::on_iteration(const Iteration& iteration) {
  if (trace_ != nullptr) trace_->add(iteration);
}

void Watcher::on_progress(const Progress& progress) {
  if (style_ == ProgressStyle::None) return;
  // A table grows for as long as the computation runs: ever more slowly, but every better incumbent has its row.
  const bool table = style_ == ProgressStyle::Table;
  const double pause = table ? std::clamp(0.05 * progress.seconds, 0.2, 10.0) : 0.1;
  const bool better =
      progress.objective < last_.objective || std::isnan(last_.objective) > std::isnan(progress.objective);
  const bool is_due = progress.seconds >= last_shown_ + pause || (table && better);
  last_ = progress;
  last_is_shown_ = is_due;
  if (is_due) show_last();
}

void Watcher::show_last() {
  last_shown_ = last_.seconds;
  if (style_ == ProgressStyle::Line) show_line(last_);
  else if (style_ == ProgressStyle::Table) show_row(last_);
  else print_json(last_);
  std::fflush(stderr);
}

void Watcher::show_line(const Progress& progress) {
  const double gap = relative_gap(progress);
  fmt::print(stderr, "\r\x1b[K{:.1f} s  {}: {} features, objective {:.6g}{}", progress.seconds, progress.stage,
             progress.nonzeros, progress.objective, std::isfinite(gap) ? fmt::format(", gap {:.2g} %", 100 * gap) : "");
  line_is_open_ = true;
}

void Watcher::show_row(const Progress& progress) {
  if (!head_is_shown_)
    fmt::print(stderr, "{:>9} {:>10} {:>9} {:>15} {:>15} {:>10} {:>8}\n", "time", "nodes", "open", "incumbent", "bound",
               "gap", "support");
  head_is_shown_ = true;
  const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : "-"; };
  const double gap = relative_gap(progress);
  fmt::print(stderr, "{:>7.1f} s {:>10} {:>9} {:>15} {:>15} {:>10} {:>8}\n", progress.seconds, progress.nodes,
             progress.open, number(progress.objective), number(progress.lower_bound),
             std::isfinite(gap) ? fmt::format("{:.3g} %", 100 * gap) : "-", progress.nonzeros);
}

bool Watcher::should_stop() { return stop_requested != 0; }

void Watcher::clear_line() {
  if (!line_is_open_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  line_is_open_ = false;
}

}  // namespace ellzero::cli
