// What prove_chosen.hpp adds to prove(): the better of two solutions and of two bounds, both of which are valid.
#include "ellzero/prove_chosen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "ellzero/prove.hpp"

namespace ellzero {
namespace {

void keep_better(const Result& known, bool recorded, double gap, Result& proved) {
  if (known.objective < proved.objective) {
    proved.objective = known.objective;
    proved.intercept = known.intercept;
    proved.support = known.support;
    proved.coefficients = known.coefficients;
    proved.relax = known.relax;
    proved.penalised = known.penalised;
    proved.notes = known.notes;
  }
  if (!recorded) proved.lower_bound = std::max(proved.lower_bound, known.lower_bound);
  proved.lower_bound = std::min(proved.lower_bound, proved.objective);
  proved.gap = proved.objective - proved.lower_bound;
  proved.relative_gap = proved.gap / std::max(std::abs(proved.objective), std::numeric_limits<double>::min());
  if (proved.relative_gap <= gap) proved.status = Status::Optimal;
}

}  // namespace

Settings settings_of(const Result& model, Settings settings) {
  settings.k = model.k;
  settings.lambda0 = model.lambda0;
  settings.lambda1 = model.lambda1;
  settings.lambda2 = model.lambda2;
  settings.relax = model.relax > 0 ? std::optional(model.relax) : std::nullopt;
  settings.lambda0_grid.clear();
  settings.lambda1_grid.clear();
  settings.lambda2_grid.clear();
  return settings;
}

Result prove_chosen(const Dataset& data, const Settings& settings, const Result& chosen, Observer* observer,
                    ProofSink* sink) {
  Result proved = prove(data, settings_of(chosen, settings), observer, sink);
  keep_better(chosen, sink != nullptr, settings.gap, proved);
  return proved;
}

}  // namespace ellzero
