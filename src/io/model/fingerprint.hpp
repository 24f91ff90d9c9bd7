// What tells one data set from another: its shape and a hash of its numbers, the same for every file format.
#pragma once

#include <cstdint>

#include "ellzero/dataset.hpp"

namespace ellzero::io::model {

struct Fingerprint {
  Index rows = 0;
  Index columns = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Targets count as the loss sees them, zeros not at all: dense and sparse data of the same numbers agree. No weights
/// are weights of 1, no offset is one of 0. One pass over the numbers; it guards against mix-ups, not against malice.
Fingerprint fingerprint(const Dataset& data);

}  // namespace ellzero::io::model
