// Fuzzes the check of proofs on small problems of every kind: no records whatever prove more than the enumerated
// optimum.
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "ellzero/verify.hpp"
#include "fuzz/harness.hpp"
#include "io/model/fingerprint.hpp"
#include "io/proof/proof_file.hpp"
#include "io/proof/proof_format.hpp"
#include "oracle/hard_problem.hpp"

namespace {

using namespace ellzero;

struct Known {
  oracle::SmallProblem problem;
  io::model::Fingerprint mark;
  double optimum = 0;
};

/// The first byte of an input says which problem it is about.
const Known& problem_of(std::uint8_t number) {
  static std::map<std::uint8_t, Known> known;
  const auto [place, is_new] = known.try_emplace(number);
  if (!is_new) return place->second;
  std::mt19937_64 rng(number);
  oracle::SmallProblem s = number % 2 == 0 ? oracle::random_problem(rng, 4) : oracle::hard_problem(rng, 4);
  if (number % 3 == 0) {
    s.settings.k = std::min<Index>(s.p, static_cast<Index>(s.settings.always.size()) + number % 2);
    s.settings.lambda0.reset();
  }
  place->second = {s, io::model::fingerprint(s.dataset()),
                   static_cast<double>(oracle::PreciseEnumeration(s).solve().objective)};
  return place->second;
}

void append(std::string& bytes, std::uint64_t value) {
  for (int k = 0; k < 8; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xff);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Known& known = problem_of(data[0]);
  std::string whole = std::string(io::proof::proof_magic) + static_cast<char>(io::proof::proof_version) +
                      static_cast<char>(known.mark.rows) + static_cast<char>(known.mark.columns);
  append(whole, known.mark.hash);
  whole += fuzz::text_of(data + 1, size - 1);
  whole += static_cast<char>(io::proof::ProofTag::End);
  whole.append(24, '\0');  // a number of records that does not fit is told after all of them were read
  append(whole, io::proof::checksum(whole, io::proof::checksum_start));
  const fuzz::MemoryFile file(whole);
  ProofCheck check(known.problem.dataset(), known.problem.settings);
  fuzz::read_or_refuse([&] { (void)io::proof::read_proof(file.path(), known.mark, check); });
  fuzz::require(check.lower_bound() <= known.optimum + 1e-9 * std::abs(known.optimum));
  return 0;
}
