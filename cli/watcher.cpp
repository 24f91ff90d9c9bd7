// When which kind of progress of watcher.hpp is shown.
#include "cli/watcher.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "cli/progress_text.hpp"
#include "cli/streams.hpp"

namespace ellzero::cli {
namespace {

/// Columns that may be written to without a wrap; asked for each time, for a window may change.
std::size_t terminal_width() {
  struct winsize size {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col - 1U : 79;
}

/// Of a path by its points; of anything else by its time, where that is limited.
std::optional<double> share_done(const Progress& progress, double seconds, std::optional<double> time_limit) {
  if (progress.points > 0) return static_cast<double>(progress.point) / static_cast<double>(progress.points);
  if (time_limit && *time_limit > 0) return seconds / *time_limit;
  return std::nullopt;
}

}  // namespace

Watcher::Watcher(ProgressStyle style, TraceFile* trace, std::optional<double> time_limit, bool chooses)
    : style_(style), trace_(trace), time_limit_(time_limit), chooses_(chooses) {
  // A row that wraps is no row.
  const bool table = style == ProgressStyle::Table || style == ProgressStyle::ProofTable;
  if (table && terminal_width() < row_width) style_ = ProgressStyle::Line;
}

Watcher::~Watcher() {
  clear_line();
  if (!last_is_shown_) show_row();
}

double Watcher::now() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

io::model::Course Watcher::finish(const Result& result) {
  course_.add({result.seconds, result.objective, result.lower_bound, result.nodes});
  const bool news = !any_ || !last_is_shown_ || last_.objective != result.objective ||
                    last_.lower_bound != result.lower_bound || last_.nodes != result.nodes;
  if (style_ == ProgressStyle::Json && news) {
    const auto nonzeros = static_cast<Index>(result.support.size());
    last_ = {
        any_ ? last_.stage : "search", result.seconds, result.objective, result.lower_bound, nonzeros, result.nodes};
    last_is_shown_ = true;
    show_row();
  }
  return course_;
}

void Watcher::on_iteration(const Iteration& iteration) {
  if (trace_ != nullptr) trace_->add(iteration);
}

void Watcher::on_progress(const Progress& progress) {
  const bool of_the_problem = is_of_the_problem(progress);
  if (of_the_problem) course_.add({progress.seconds, progress.objective, progress.lower_bound, progress.nodes});
  if (style_ == ProgressStyle::None) return;
  // A table grows for as long as the computation runs: ever more slowly, but every better incumbent has its row.
  const bool new_stage = progress.stage != last_.stage;
  const bool better =
      progress.objective < last_.objective || std::isnan(last_.objective) > std::isnan(progress.objective);
  const bool table = style_ == ProgressStyle::Table || (style_ == ProgressStyle::ProofTable && of_the_problem);
  last_ = progress;
  any_ = true;
  const double pause = table ? std::clamp(0.05 * progress.seconds, 0.2, 10.0) : 0.1;
  const bool is_due = progress.seconds >= row_time_ + pause || (table && (better || new_stage));
  const bool line = !table && style_ != ProgressStyle::Json;
  last_is_shown_ = line || is_due;
  if (!last_is_shown_ || line) return show_due();
  show_row();
}

bool Watcher::is_of_the_problem(const Progress& progress) const {
  return chooses_ ? progress.stage == "proof" : progress.points == 0;
}

void Watcher::show_row() {
  row_time_ = last_.seconds;
  if (style_ == ProgressStyle::Json) {
    say(progress_json(last_) + "\n");
  } else {
    clear_line();
    if (!head_is_shown_) say(progress_head() + "\n");
    head_is_shown_ = true;
    say(progress_row(last_) + "\n");
  }
}

/// At most ten times a second, and not at all for what is over at once.
void Watcher::show_due() {
  constexpr double first = 0.3, pause = 0.1;
  const bool has_line = style_ != ProgressStyle::None && style_ != ProgressStyle::Json;
  if (!has_line || !any_) return;
  const double seconds = now();
  if (seconds < std::max(first, line_time_ + pause)) return;
  line_time_ = seconds;
  ++turns_;
  show_line();
}

void Watcher::show_line() {
  const Standing standing{last_, line_time_, share_done(last_, line_time_, time_limit_), turns_};
  say(fmt::format("\r{}\x1b[K", progress_line(standing, terminal_width())));
  line_is_open_ = true;
}

/// Asked many times a second, so the clock of the line runs also where nothing is reported.
bool Watcher::should_stop() {
  show_due();
  return OrderlyStop::is_requested();
}

void Watcher::clear_line() {
  if (!line_is_open_) return;
  say("\r\x1b[K");
  line_is_open_ = false;
}

}  // namespace ellzero::cli
