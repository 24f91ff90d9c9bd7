// The front door of fit() and prove(): validate, dispatch, choose where nothing is said, run.
#include "ellzero/fit.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/stop.hpp"
#include "ellzero/error.hpp"
#include "ellzero/prove.hpp"
#include "ellzero/prove_chosen.hpp"
#include "fit/chooser.hpp"
#include "fit/found.hpp"
#include "fit/methods.hpp"
#include "fit/path.hpp"

namespace ellzero {
namespace {

bool is_choice(const Settings& settings) { return !settings.lambda0 && !settings.k; }

/// What a choice is given to prove its model.
struct ProofWanted {
  std::optional<double> budget;  ///< seconds; none: as long as the choice itself may go on
  bool criterion = false;        ///< that no subset has a better one, as well
  ProofSink* sink = nullptr;
};

/// The model of a path that the settings choose, and its proof from what the path knows of it.
template <class L>
Result choose_and_prove(const front::Question<L>& question, const Settings& settings, const Dataset& data,
                        const ProofWanted& wanted, core::Stop& stop) {
  front::Chooser<L> chooser(question, settings, data, stop);
  const auto selection = std::make_shared<Selection>(chooser.run());
  const auto place = static_cast<std::size_t>(selection->chosen);
  Result result = selection->path.models.at(place);
  if (is_cut(selection->status)) {
    result.status = selection->status;
    result.notes.emplace_back(
        std::isnan(selection->score[place])
            ? "the selection was stopped before it could choose: this is the last model of the path"
            : "the selection was stopped early: only the models and folds that were finished count");
  } else {
    if (wanted.budget) stop.allow(*wanted.budget);
    const auto prove = [&](ProofSink* sink) {
      auto found = chooser.found(*selection);
      result = front::to_proved_result(found, settings_of(result, settings), sink, stop);
    };
    if (selection->by == "cv") prove(wanted.sink);
    else if (!selection->proved) {
      prove(nullptr);
      chooser.learn(result, *selection);
      if (wanted.criterion) chooser.prove_criterion(*selection);
      chooser.compare_with_all_subsets(*selection);
      const Result& best = selection->path.models.at(static_cast<std::size_t>(selection->chosen));
      if (best.status == Status::Optimal) result = best;
    }
    if (selection->by != "cv" && wanted.sink != nullptr) prove(wanted.sink);  // of the model that it ended with
    if (wanted.budget && result.status == Status::TimeLimit)
      result.notes.push_back(
          fmt::format("the proof was given {} s; `prove`, or a time limit, goes on", *wanted.budget));
  }
  result.seconds = stop.seconds();
  result.selection = selection;
  return result;
}

Result choose_and_prove(const Dataset& data, const Settings& settings, const ProofWanted& wanted, core::Stop& stop) {
  front::check_path(settings);
  return front::with_question(
      data, settings, [&](const auto& question) { return choose_and_prove(question, settings, data, wanted, stop); });
}

}  // namespace

Result fit(const Dataset& data, const Settings& settings, Observer* observer) {
  if (settings.method != "engine") {
    core::Stop stop(settings.time_limit.value_or(front::method_time_limit), observer);
    return front::fit_by_method(data, settings, stop);
  }
  core::Stop stop(settings.time_limit, observer);
  if (is_choice(settings)) {
    const auto budget = settings.time_limit ? std::nullopt : std::optional(proof_budget);
    return choose_and_prove(data, settings, {.budget = budget}, stop);
  }
  return front::with_problem(data, settings, [&](const auto& problem) {
    auto found = front::find(problem, settings, stop);
    return front::to_result(found, settings, stop);
  });
}

Result prove(const Dataset& data, const Settings& settings, Observer* observer, ProofSink* sink) {
  if (settings.method != "engine")
    throw Error(ErrorCode::Usage,
                fmt::format("method: value is {}; expected engine: a proof begins with its solution", settings.method));
  core::Stop stop(settings.time_limit, observer);
  if (is_choice(settings))
    return choose_and_prove(data, settings, {.budget = {}, .criterion = true, .sink = sink}, stop);
  return front::with_problem(data, settings, [&](const auto& problem) {
    auto found = front::find(problem, settings, stop);
    return front::to_proved_result(found, settings, sink, stop);
  });
}

}  // namespace ellzero
