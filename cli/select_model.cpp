// The three steps of select_model.hpp.
#include "cli/select_model.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cli/exit_code.hpp"
#include "cli/style.hpp"
#include "ellzero/prove_chosen.hpp"

namespace ellzero::cli {
namespace {

bool is_cut(Status status) { return status == Status::TimeLimit || status == Status::Interrupted; }

void note_what_was_cut(const Selection& selection, bool budgeted, Result& result) {
  if (is_cut(selection.status))
    result.notes.emplace_back(
        std::isnan(selection.score[selection.chosen])
            ? "the selection was stopped before it could choose: this is the last model of the path"
            : "the selection was stopped early: only the models and folds that were finished count");
  else if (budgeted && result.status == Status::TimeLimit)
    result.notes.push_back(
        fmt::format("the proof was given {} s; `ellzero prove` or --time-limit goes on", default_budget));
}

}  // namespace

Selected select_model(const Dataset& data, Options& options, bool proves, ProofSink* sink) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const auto user_limit = options.settings.time_limit;
  bool stopped = false;
  const auto choose_watched = [&] {
    Watcher watcher(chosen_style(options, false), nullptr, user_limit);
    auto selection = choose(data, options.settings, &watcher);
    stopped = is_cut(selection.status) || watcher.should_stop();
    return selection;
  };
  Selected selected{choose_watched(), {}, {}, false};
  selected.proved = !stopped;
  const Result& chosen = selected.selection.path.models.at(static_cast<std::size_t>(selected.selection.chosen));
  options.settings = settings_of(chosen, options.settings);
  if (stopped) {
    selected.result = chosen;
    if (is_cut(selected.selection.status)) selected.result.status = selected.selection.status;
  } else {
    auto settings = options.settings;
    if (user_limit) settings.time_limit = std::max(0.0, *user_limit - seconds());
    else if (!proves) settings.time_limit = default_budget;
    Watcher watcher(chosen_style(options, proves), nullptr, settings.time_limit);
    selected.result = prove_chosen(data, settings, chosen, &watcher, sink);
    selected.course = watcher.finish(selected.result);
  }
  selected.result.seconds = seconds();
  note_what_was_cut(selected.selection, !proves && !user_limit, selected.result);
  return selected;
}

int exit_code_of(const Selected& selected, const Options& options, bool proves) {
  const Result& result = selected.result;
  const bool asked = proves || options.gap_given;
  const bool default_limit = result.status == Status::TimeLimit && !options.settings.time_limit && !proves;
  if (default_limit && !asked) return 0;
  return exit_code(result.status, result.relative_gap, options.settings.gap, asked);
}

}  // namespace ellzero::cli
