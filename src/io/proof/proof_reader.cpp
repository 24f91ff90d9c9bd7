// The reading half of proof_file.hpp: every size is compared with the bytes that are left before it is used.
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/bytes/file_bytes.hpp"
#include "io/proof/proof_file.hpp"
#include "io/proof/proof_format.hpp"
#include "io/refusal.hpp"

namespace ellzero::io::proof {
namespace {

class Bytes {
 public:
  Bytes(std::string_view file, std::string_view text) : file_(file), text_(text) {}

  [[noreturn]] void refuse(std::string_view message) const {
    io::refuse(file_, fmt::format("byte {}: {}", at_, message));
  }
  [[nodiscard]] std::size_t left() const { return text_.size() - at_; }

  unsigned char byte() {
    if (left() == 0) refuse("a record is cut short");
    return static_cast<unsigned char>(text_[at_++]);
  }
  std::uint64_t whole() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint64_t next = byte();
      if (shift == 63 && next > 1) refuse("a whole number of more than 64 bits");
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  }
  std::int64_t number() {
    const std::uint64_t value = whole();
    if (value > 0x7fffffffffffffffu) refuse("a number of more than 63 bits");
    return static_cast<std::int64_t>(value);
  }
  std::uint64_t eight_bytes() {
    std::uint64_t value = 0;
    for (int k = 0; k < 8; ++k) value |= std::uint64_t{byte()} << (8 * k);
    return value;
  }
  /// Finite, or -inf where a bound is unknown.
  double bound() {
    const auto value = std::bit_cast<double>(eight_bytes());
    if (!(value < std::numeric_limits<double>::infinity())) refuse("a bound that is neither a number nor unknown");
    return value;
  }
  double real() {
    const auto value = std::bit_cast<double>(eight_bytes());
    if (!std::isfinite(value)) refuse("a number that is not finite");
    return value;
  }
  void reals(std::size_t count, std::vector<double>& values) {
    if (count > left() / 8) refuse(fmt::format("{} numbers where {} bytes are left", count, left()));
    values.clear();
    for (std::size_t k = 0; k < count; ++k) values.push_back(real());
  }
  void features(Index columns, std::vector<Index>& list) {
    const std::uint64_t count = whole();
    if (count > left()) refuse(fmt::format("{} features where {} bytes are left", count, left()));
    list.clear();
    std::uint64_t last = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t step = whole();
      last += (step >> 1) ^ (0 - (step & 1));  // unsigned, so that nothing overflows
      if (last >= static_cast<std::uint64_t>(columns))
        refuse(fmt::format("feature {}; expected 0 to {}", static_cast<std::int64_t>(last), columns - 1));
      if (k > 0 && static_cast<Index>(last) <= list.back())
        refuse(fmt::format("feature {} after {}; expected ascending features", last, list.back()));
      list.push_back(static_cast<Index>(last));
    }
  }

 private:
  std::string_view file_, text_;
  std::size_t at_ = 0;
};

/// Reads one record after the other into the same memory.
class Records {
 public:
  Records(Bytes& bytes, Index columns, ProofSink& sink) : bytes_(bytes), columns_(columns), sink_(sink) {}

  void read_one() {
    switch (const auto tag = static_cast<ProofTag>(bytes_.byte())) {
      case ProofTag::Point:
      case ProofTag::ClosingPoint:
        return read_point(tag == ProofTag::ClosingPoint);
      case ProofTag::Split: {
        const std::int64_t node = bytes_.number(), feature = bytes_.number();
        const std::int64_t in = bytes_.number(), out = bytes_.number();
        return sink_.on_split(node, feature, in, out);
      }
      case ProofTag::Diagonal: {
        const std::int64_t number = bytes_.number();
        bytes_.features(columns_, support_);
        bytes_.reals(support_.size(), values_);
        return sink_.on_diagonal(number, support_, values_);
      }
      case ProofTag::End:
        break;
    }
    bytes_.refuse("no record starts here");
  }

 private:
  void read_point(bool closes) {
    ProofPoint point;
    point.closes = closes;
    point.node = bytes_.number();
    point.diagonal = bytes_.number() - 1;
    point.intercept = bytes_.real();
    bytes_.features(columns_, support_);
    bytes_.reals(support_.size(), values_);
    bytes_.features(columns_, in_);
    bytes_.features(columns_, out_);
    point.support = support_;
    point.values = values_;
    point.in = in_;
    point.out = out_;
    sink_.on_point(point);
  }

  Bytes& bytes_;
  Index columns_;
  ProofSink& sink_;
  std::vector<Index> support_, in_, out_;
  std::vector<double> values_;
};

/// Everything but the end, whose checksum has been compared.
std::string_view checked(const bytes::FileBytes& file) {
  const std::string_view text = file.text();
  require_proof(file.name(), text);
  if (text.size() < proof_magic.size() + proof_end_size) refuse(file.name(), "is cut short");
  const std::string_view body = text.substr(0, text.size() - 8);
  Bytes stored(file.name(), text.substr(text.size() - 8));
  if (stored.eight_bytes() != checksum(body, checksum_start))
    refuse(file.name(), "is cut short or damaged: its checksum does not fit");
  return text.substr(0, text.size() - proof_end_size);
}

void check_header(std::string_view name, Bytes& bytes, const model::Fingerprint& data) {
  for (std::size_t k = 0; k < proof_magic.size(); ++k) (void)bytes.byte();
  if (const std::uint64_t version = bytes.whole(); version != proof_version)
    refuse(name, fmt::format("is of version {}; expected {}", version, proof_version));
  model::Fingerprint of_proof;
  of_proof.rows = bytes.number();
  of_proof.columns = bytes.number();
  of_proof.hash = bytes.eight_bytes();
  if (of_proof != data)
    throw Error(ErrorCode::Numerical,
                fmt::format("{}: is the proof of other data ({} rows, {} columns, hash {:016x}); expected {} rows, {} "
                            "columns, hash {:016x}",
                            name, of_proof.rows, of_proof.columns, of_proof.hash, data.rows, data.columns, data.hash));
}

}  // namespace

void require_proof(std::string_view name, std::string_view head) {
  if (!head.starts_with(proof_magic)) refuse(name, "is no proof of ellzero: its first bytes are others");
}

ProofEnd read_proof(const std::filesystem::path& path, const model::Fingerprint& data, ProofSink& sink) {
  const std::string name = bytes::FileBytes::name_of(path);
  const auto heading = [](std::string_view file, std::string_view head) -> bytes::Heading {
    require_proof(file, head);
    return {.text = false, .most_growth = 200};  // most of a proof are numbers that do not pack
  };
  bytes::InputGuard guard(name, heading, [&](std::string_view head) {  // before the rest is unpacked
    Bytes start(name, head);
    check_header(name, start, data);
  });
  const bytes::FileBytes file(path, &guard);
  const std::string_view body = checked(file);
  Bytes bytes(file.name(), body), end(file.name(), file.text().substr(body.size()));
  check_header(file.name(), bytes, data);
  Records records(bytes, data.columns, sink);
  std::uint64_t count = 0;
  for (; bytes.left() > 0; ++count) records.read_one();
  if (static_cast<ProofTag>(end.byte()) != ProofTag::End) refuse(file.name(), "is cut short: it has no end");
  if (const std::uint64_t stored = end.eight_bytes(); stored != count)
    refuse(file.name(), fmt::format("has {} records; expected {}", count, stored));
  ProofEnd result{static_cast<Index>(count), 0, 0};
  result.objective = end.real();
  result.lower_bound = end.bound();
  return result;
}

void check_proof(const std::filesystem::path& path, const model::Fingerprint& data, const Claim& claim,
                 ProofCheck& check) {
  const ProofEnd end = read_proof(path, data, check);
  for (const double bound : {end.lower_bound, claim.lower_bound})
    if (bound != -std::numeric_limits<double>::infinity()) check.require(bound);
  if (end.objective != claim.objective)
    throw Error(ErrorCode::Numerical,
                fmt::format("{}: is the proof of a solution with the objective {}; the one claimed has {}",
                            path.string(), end.objective, claim.objective));
}

}  // namespace ellzero::io::proof
