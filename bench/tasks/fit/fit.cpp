// One fit(), path(), prove() or root bound on arrays from disk, timed on one thread: what the Python scripts of tasks
// call.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ellzero/ellzero.hpp"
#include "stopwatch.hpp"
#include "tasks/fit/input.hpp"
#include "tasks/fit/memory.hpp"
#include "tasks/fit/root.hpp"
#include "tasks/fit/settings_text.hpp"

namespace {

using namespace ellzero;

Settings settings_from(std::span<char*> words) {
  Settings settings;
  settings.intercept = false;
  settings.standardize = false;
  settings.threads = 1;
  settings.time_limit = 30;  // a fit that does not end shows as status time_limit, and the benchmark goes on
  for (const char* word : words) bench::set(settings, word);
  return settings;
}

/// When each stage of a fit ended.
class Stages : public Observer {
 public:
  void on_progress(const Progress& progress) override {
    text_ += fmt::format(R"({}["{}",{}])", text_.empty() ? "" : ",", progress.stage, progress.seconds);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string run_fit(const Dataset& data, const Settings& settings) {
  Result result;
  Stages stages;
  const bench::Timing timing = bench::time_briefly([&] {
    stages = {};
    result = fit(data, settings, &stages);
    return result.seconds;
  });
  return fmt::format(R"("objective":{},"lower_bound":{},"status":"{}","seconds":{},"best_seconds":{},"sweeps":{},)"
                     R"("nonzeros":{},"lambda2":{},"support":[{}],"coefficients":[{}],"stages":[{}])",
                     number(result.objective), number(result.lower_bound), to_string(result.status), timing.median,
                     timing.best, result.sweeps, result.support.size(), result.lambda2, fmt::join(result.support, ","),
                     fmt::join(result.coefficients, ","), stages.text());
}

std::string run_path(const Dataset& data, const Settings& settings) {
  Path result;
  using Clock = std::chrono::steady_clock;
  const bench::Timing timing = bench::time_briefly([&] {
    const auto start = Clock::now();
    result = path(data, settings);
    return std::chrono::duration<double>(Clock::now() - start).count();
  });
  std::string models;
  for (const Result& model : result.models)
    models +=
        fmt::format(R"({}{{"lambda0":{},"objective":{},"lower_bound":{},"status":"{}","seconds":{},"support":[{}]}})",
                    models.empty() ? "" : ",", model.lambda0.value_or(-1), number(model.objective),
                    number(model.lower_bound), to_string(model.status), model.seconds, fmt::join(model.support, ","));
  return fmt::format(R"("status":"{}","seconds":{},"best_seconds":{},"models":[{}])", to_string(result.status),
                     timing.median, timing.best, models);
}

std::string run_prove(const Dataset& data, const Settings& settings) {
  Result result;
  const bench::Timing timing = bench::time_briefly([&] {
    result = prove(data, settings);
    return result.seconds;
  });
  return fmt::format(R"("objective":{},"lower_bound":{},"relative_gap":{},"status":"{}","nodes":{},"seconds":{},)"
                     R"("intercept":{},"support":[{}],"coefficients":[{}])",
                     number(result.objective), number(result.lower_bound), number(result.relative_gap),
                     to_string(result.status), result.nodes, timing.median, result.intercept,
                     fmt::join(result.support, ","), fmt::join(result.coefficients, ","));
}

std::string run_root(const Dataset& data, const Settings& settings) {
  const bench::Root root = bench::time_root(data, settings);
  return fmt::format(R"("lower_bound":{},"relaxed_gap":{},"nonzeros":{},"sweeps":{},"rounds":{},"seconds":{})",
                     number(root.lower_bound), number(root.relaxed_gap), root.nonzeros, root.sweeps, root.rounds,
                     root.timing.median);
}

}  // namespace

/// bench_fit DIR fit|path|prove|root [SETTING=VALUE ...]: reads the arrays of DIR, fits, walks a path or proves (by
/// default without intercept or standardising) or computes the root bound alone, prints one line of JSON. Memory is
/// counted before sweeps are timed.
int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_fit DIR fit|path|prove|root [SETTING=VALUE ...]\n");
    return 2;
  }
  try {
    const bench::Input input(argv[1]);
    const std::string_view what = argv[2];
    const Settings settings = settings_from({argv + 3, argv + argc});
    bench::keep(input.touch());
    const auto before = bench::memory_bytes("VmRSS:");
    const auto told = what == "fit"     ? run_fit(input.data(), settings)
                      : what == "path"  ? run_path(input.data(), settings)
                      : what == "prove" ? run_prove(input.data(), settings)
                      : what == "root"
                          ? run_root(input.data(), settings)
                          : throw std::invalid_argument(fmt::format("expected fit, path, prove or root, not {}", what));
    const auto peak = bench::memory_bytes("VmHWM:");
    Settings priced = settings;
    if (!priced.k && !priced.lambda0) priced.lambda0 = 0;  // a path has neither
    fmt::print(R"({{{},"sweep_seconds":{},"matrix_bytes":{},"bytes_before":{},"peak_bytes":{}}})"
               "\n",
               told, bench::time_sweep(input.data(), priced), input.matrix_bytes(), before, peak);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_fit: {}\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
