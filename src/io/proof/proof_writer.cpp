// The writing half of proof_file.hpp.
#include <bit>

#include "io/proof/proof_file.hpp"
#include "io/proof/proof_format.hpp"

namespace ellzero::io::proof {
namespace {

/// Small numbers of either sign become small numbers: 0, -1, 1, -2, ...
std::uint64_t folded(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

}  // namespace

ProofWriter::ProofWriter(const std::filesystem::path& path, const model::Fingerprint& data)
    : file_(path), buffer_(proof_magic), checksum_(checksum_start) {
  whole(proof_version);
  whole(static_cast<std::uint64_t>(data.rows));
  whole(static_cast<std::uint64_t>(data.columns));
  eight_bytes(data.hash);
}

void ProofWriter::whole(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) buffer_ += static_cast<char>(value | 0x80);
  buffer_ += static_cast<char>(value);
}

void ProofWriter::eight_bytes(std::uint64_t value) {
  for (int k = 0; k < 8; ++k) buffer_ += static_cast<char>(value >> (8 * k));
}

void ProofWriter::real(double value) { eight_bytes(std::bit_cast<std::uint64_t>(value)); }

void ProofWriter::features(std::span<const Index> list) {
  whole(list.size());
  Index last = 0;
  for (const Index j : list) {
    whole(folded(j - last));
    last = j;
  }
}

void ProofWriter::end_record() {
  constexpr std::size_t enough = 1 << 18;
  ++records_;
  if (buffer_.size() >= enough) flush();
}

void ProofWriter::flush() {
  checksum_ = checksum(buffer_, checksum_);
  file_.write(buffer_);
  buffer_.clear();
}

void ProofWriter::on_point(const ProofPoint& point) {
  buffer_ += static_cast<char>(point.closes ? ProofTag::ClosingPoint : ProofTag::Point);
  whole(static_cast<std::uint64_t>(point.node));
  whole(static_cast<std::uint64_t>(point.diagonal + 1));
  real(point.intercept);
  features(point.support);
  for (const double value : point.values) real(value);
  features(point.in);
  features(point.out);
  end_record();
}

void ProofWriter::on_split(std::int64_t node, Index feature, std::int64_t in_node, std::int64_t out_node) {
  buffer_ += static_cast<char>(ProofTag::Split);
  for (const std::int64_t number : {node, feature, in_node, out_node}) whole(static_cast<std::uint64_t>(number));
  end_record();
}

void ProofWriter::on_diagonal(std::int64_t number, std::span<const Index> chosen, std::span<const double> d) {
  buffer_ += static_cast<char>(ProofTag::Diagonal);
  whole(static_cast<std::uint64_t>(number));
  features(chosen);
  for (const double value : d) real(value);
  end_record();
}

void ProofWriter::finish(double objective, double lower_bound) {
  buffer_ += static_cast<char>(ProofTag::End);
  eight_bytes(records_);
  real(objective);
  real(lower_bound);
  flush();
  eight_bytes(checksum_);
  file_.write(buffer_);
  file_.commit();
}

}  // namespace ellzero::io::proof
