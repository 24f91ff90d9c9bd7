// prove(): fit(), then branch and bound until the gap is closed or a limit is reached.
#pragma once

#include "ellzero/dataset.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/proof.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

/// The best coefficients found and a lower bound on all others, as close together as settings.gap asks for unless a
/// limit of time, nodes or memory comes first. With neither lambda0 nor k the model is chosen, as choose() does, and
/// the proof begins with what the path knows of it; a choice that is cut short is not proved. Throws Error for input
/// that makes no sense.
Result prove(const Dataset& data, const Settings& settings, Observer* observer = nullptr, ProofSink* sink = nullptr);

}  // namespace ellzero
