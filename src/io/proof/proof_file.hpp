// A proof in a file: prove() writes its records into it, and a checker has them read out again.
//
//   magic, version, rows, columns, hash of the data;  records: point, split, diagonal;  end
// Whole numbers have as many bytes as they need, lists of features are differences, real numbers are eight bytes.
// The end has the number of records, the claimed objective and lower bound, and a checksum of all bytes before it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "ellzero/proof.hpp"
#include "ellzero/verify.hpp"
#include "io/bytes/atomic_file.hpp"
#include "io/model/fingerprint.hpp"

namespace ellzero::io::proof {

class ProofWriter final : public ProofSink {
 public:
  /// Throws Error(InputOutput) if the file cannot be written; so do all others. The file appears with finish().
  explicit ProofWriter(const std::filesystem::path& path, const model::Fingerprint& data);

  void on_point(const ProofPoint& point) override;
  void on_split(std::int64_t node, Index feature, std::int64_t in_node, std::int64_t out_node) override;
  void on_diagonal(std::int64_t number, std::span<const Index> features, std::span<const double> d) override;

  /// Ends the file with what the proof claims to show.
  void finish(double objective, double lower_bound);

 private:
  void whole(std::uint64_t value);
  void real(double value);
  void eight_bytes(std::uint64_t value);
  void features(std::span<const Index> list);
  void end_record();
  void flush();

  bytes::AtomicFile file_;
  std::string buffer_;
  std::uint64_t records_ = 0;
  std::uint64_t checksum_;
};

/// Throws Error(Data) unless a file that begins like that may be a proof.
void require_proof(std::string_view name, std::string_view head);

/// The end of a proof file.
struct ProofEnd {
  Index records = 0;
  double objective = 0;
  double lower_bound = 0;
};

/// Hands every record to `sink`. The checksum is looked at first, and no size in the file is trusted. Throws
/// Error(Data) with the byte for a file that is cut, damaged or of an unknown version, Error(Numerical) for one of
/// other data, and Error(InputOutput) for one that cannot be read.
ProofEnd read_proof(const std::filesystem::path& path, const model::Fingerprint& data, ProofSink& sink);

/// Reads a proof into `check`, and throws Error(Numerical) as well unless it is one of the claim's solution and proves
/// the bounds that the file and the claim say.
void check_proof(const std::filesystem::path& path, const model::Fingerprint& data, const Claim& claim,
                 ProofCheck& check);

}  // namespace ellzero::io::proof
