// The check and the second writing of settle_proof.hpp.
#include "io/proof/settle_proof.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "ellzero/verify.hpp"
#include "io/proof/proof_file.hpp"

namespace ellzero::io::proof {
namespace {

/// A bound that is no longer close enough takes the status with it.
void claim_less(Result& result, double lower_bound, double gap) {
  result.lower_bound = lower_bound;
  result.gap = std::max(0.0, result.objective - lower_bound);
  result.relative_gap = result.gap == 0 ? 0 : result.gap / std::abs(result.objective);
  if (result.status == Status::Optimal && !(result.relative_gap <= std::max(gap, claim_tolerance)))
    result.status = Status::CoordinateOptimal;
}

}  // namespace

void settle_proof(const std::filesystem::path& path, const model::Fingerprint& mark, const Dataset& data,
                  Settings settings, Result& result) {
  settings.lambda2 = result.lambda2;
  if (!settings.k && !settings.lambda0) {  // they were chosen
    settings.k = result.k;
    settings.lambda0 = result.lambda0;
  }
  const Claim claim = claim_of(result);
  try {
    if (!digits_matter(data, settings, claim)) return;
    ProofCheck check(data, settings);
    read_proof(path, mark, check);
    const double found = result.lower_bound, proved = check.lower_bound();
    if (proved >= found - claim_tolerance * std::abs(found)) return;
    claim_less(result, proved, settings.gap);
    result.notes.push_back(
        fmt::format("proof: {} is what it proves in full, and claimed, where the search found {}: columns, targets or "
                    "offsets are so "
                    "large that the last digits of coefficients matter; centring or scaling them helps",
                    proved, found));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::InputOutput) throw;
    result.notes.push_back(fmt::format("proof: `ellzero verify` refuses it: {}", error.what()));
    return;
  }
  ProofWriter writer(path, mark);
  read_proof(path, mark, writer);
  writer.finish(result.objective, result.lower_bound);
}

}  // namespace ellzero::io::proof
