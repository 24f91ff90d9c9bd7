// Where the user says neither lambda0 nor k: a path, the choice of one of its models, and the proof of that one.
#pragma once

#include "cli/options.hpp"
#include "cli/watcher.hpp"
#include "ellzero/dataset.hpp"
#include "ellzero/proof.hpp"
#include "ellzero/result.hpp"
#include "ellzero/selection.hpp"

namespace ellzero::cli {

/// Seconds that fit spends on a proof when nobody has said how long it may take.
inline constexpr double default_budget = 10;

struct Selected {
  Selection selection;
  Result result;      ///< of the chosen model, proved as far as the limits let it
  io::Course course;  ///< of that proof
  bool proved;        ///< false where the selection was stopped before its proof began
};

/// `proves`: until the gap is closed, with no budget but the user's. The lambdas of the model that is chosen become
/// those of options.settings. A time limit of the user's is for all of it. An interrupt leaves what there is.
Selected select_model(const Dataset& data, Options& options, bool proves, ProofSink* sink);

/// 0 where only the default budget ended the proof, and nobody asked for a gap.
int exit_code_of(const Selected& selected, const Options& options, bool proves);

}  // namespace ellzero::cli
