// prove_chosen(): the proof of one model of a path, which may know more than the proof comes to.
#pragma once

#include "ellzero/dataset.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/proof.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

/// The settings that ask for this one model of a path: its lambdas or its budget, and no grid.
Settings settings_of(const Result& model, Settings settings);

/// prove() of settings_of(chosen, settings). A path learns from its neighbours: where its solution or its bound is
/// better than what the proof came to, it is kept. With a sink the bound is that of the record, which proves no other.
Result prove_chosen(const Dataset& data, const Settings& settings, const Result& chosen, Observer* observer = nullptr,
                    ProofSink* sink = nullptr);

}  // namespace ellzero
