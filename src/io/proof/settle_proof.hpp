// A proof is checked before it is handed out, where the last digits of its points may matter.
#pragma once

#include <filesystem>

#include "ellzero/dataset.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"
#include "io/model/fingerprint.hpp"

namespace ellzero::io::proof {

/// Of the finished proof of a result: if digits matter and the check proves less than is claimed, then result and proof
/// claim no more than that, and a note says so; likewise where the check refuses the proof. Throws as read_proof().
void settle_proof(const std::filesystem::path& path, const model::Fingerprint& mark, const Dataset& data,
                  Settings settings, Result& result);

}  // namespace ellzero::io::proof
