// Proof files: what goes in comes out, and cut, damaged or lying files are refused before anything is believed.
#include "io/proof/proof_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ellzero/error.hpp"
#include "io/proof/proof_format.hpp"

namespace ellzero::io::proof {
namespace {

/// Every record as a line of text.
class Lines : public ProofSink {
 public:
  void on_point(const ProofPoint& point) override {
    lines.push_back(fmt::format("point {} {} {} {} {} {} {} {}", point.node, point.intercept, point.support,
                                point.values, point.in, point.out, point.closes, point.diagonal));
  }
  void on_split(std::int64_t node, Index feature, std::int64_t in_node, std::int64_t out_node) override {
    lines.push_back(fmt::format("split {} {} {} {}", node, feature, in_node, out_node));
  }
  void on_diagonal(std::int64_t number, std::span<const Index> features, std::span<const double> d) override {
    lines.push_back(fmt::format("diagonal {} {} {}", number, features, d));
  }
  std::vector<std::string> lines;
};

const model::Fingerprint data{100, 5000, 0x0123456789abcdefu};

void write_some(ProofSink& sink) {
  const std::vector<Index> support = {3, 17, 4999}, in = {2, 8}, out = {0, 1, 300, 4998};
  const std::vector<double> values = {0.1, -2.5e-300, 7}, d = {1, 2};
  sink.on_point({0, 0.25, support, values, {}, out});
  sink.on_diagonal(0, in, d);
  sink.on_split(0, 4000, 1, 2);
  sink.on_point({1, -1.0 / 3, support, values, in, {}, true, 0});
  sink.on_point({2, 0, {}, {}, {}, {}, true});
}

class ProofFile : public ::testing::Test {
 protected:
  ProofFile() {
    ProofWriter writer(path, data);
    write_some(writer);
    writer.finish(12.5, 12.25);
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    bytes = text.str();
  }
  ~ProofFile() override { std::filesystem::remove(path); }

  void put(const std::string& content) const { std::ofstream(path, std::ios::binary) << content; }
  /// The same with a checksum that fits.
  static std::string sealed(std::string content) {
    const std::uint64_t sum = checksum(std::string_view(content).substr(0, content.size() - 8), checksum_start);
    std::memcpy(content.data() + content.size() - 8, &sum, 8);
    return content;
  }
  ErrorCode refusal(const model::Fingerprint& of = data) const {
    Lines lines;
    try {
      read_proof(path, of, lines);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::Usage;
  }
  /// What is left of the packed content when its last bytes are cut off.
  void put_packed(const std::string& content, std::uintmax_t cut = 0) const {
    const gzFile file = ::gzopen(path.c_str(), "wb");
    ::gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    ::gzclose(file);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - cut);
  }

  [[nodiscard]] std::string followed_by(std::size_t count, char what) const {
    std::string content = bytes;
    content.append(count, what);
    return content;
  }

  std::string path = std::filesystem::temp_directory_path() / fmt::format("ellzero_proof_{}", ::getpid());
  std::string bytes;
};

TEST_F(ProofFile, comes_back_as_it_was_written) {
  Lines expected, found;
  write_some(expected);
  const ProofEnd end = read_proof(path, data, found);
  EXPECT_EQ(found.lines, expected.lines);
  EXPECT_EQ(end.records, 5);
  EXPECT_EQ(end.objective, 12.5);
  EXPECT_EQ(end.lower_bound, 12.25);
}

TEST_F(ProofFile, does_not_appear_before_it_is_finished) {
  const std::string other = path + "_unfinished";
  {
    ProofWriter writer(other, data);
    write_some(writer);
  }
  EXPECT_FALSE(std::filesystem::exists(other));
  EXPECT_THROW(ProofWriter("/nowhere/at/all", data), Error);
}

TEST_F(ProofFile, cut_anywhere_is_refused) {
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    put(bytes.substr(0, length));
    EXPECT_EQ(refusal(), ErrorCode::Data) << length;
  }
  put(bytes + "x");
  EXPECT_EQ(refusal(), ErrorCode::Data);
}

TEST_F(ProofFile, with_any_bit_flipped_is_refused) {
  for (std::size_t k = 0; k < bytes.size(); ++k)
    for (const int bit : {0, 7}) {
      std::string changed = bytes;
      changed[k] = static_cast<char>(changed[k] ^ (1 << bit));
      put(changed);
      EXPECT_EQ(refusal(), ErrorCode::Data) << k;
    }
}

TEST_F(ProofFile, of_other_data_or_version_is_refused) {
  Lines lines;
  EXPECT_THROW(read_proof(path, {100, 5000, 1}, lines), Error);
  EXPECT_THROW(read_proof(path, {100, 4999, data.hash}, lines), Error);
  EXPECT_TRUE(lines.lines.empty());
  std::string changed = bytes;
  changed[proof_magic.size()] = 2;
  put(sealed(changed));
  EXPECT_EQ(refusal(), ErrorCode::Data);
}

TEST_F(ProofFile, is_read_from_a_packed_file_too) {
  Lines expected, found;
  write_some(expected);
  put_packed(bytes);
  EXPECT_EQ(read_proof(path, data, found).records, 5);
  EXPECT_EQ(found.lines, expected.lines);
}

TEST_F(ProofFile, of_other_data_is_refused_before_all_of_it_is_unpacked) {
  put_packed(followed_by(10000000, 'x'), 100);
  EXPECT_EQ(refusal(), ErrorCode::Data);  // cut
  EXPECT_EQ(refusal({100, 5000, 1}), ErrorCode::Numerical);
}

TEST_F(ProofFile, that_unpacks_to_far_more_than_numbers_can_is_refused) {
  put_packed(followed_by(40000000, '\0'), 100);
  Lines lines;
  try {
    read_proof(path, data, lines);
    ADD_FAILURE() << "40 megabytes of zeros are a proof";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("unpacks to more than 200 times its"), std::string::npos) << error.what();
  }
}

TEST_F(ProofFile, with_lists_out_of_order_or_a_bound_that_is_none_is_refused) {
  const std::vector<double> values = {1, 2};
  for (const std::vector<Index>& list : {std::vector<Index>{7, 7}, {9, 2}, {4999, 0}}) {
    for (const int role : {0, 1, 2, 3}) {
      ProofWriter writer(path, data);
      if (role == 0) writer.on_point({0, 0, list, values, {}, {}});
      if (role == 1) writer.on_point({0, 0, {}, {}, list, {}});
      if (role == 2) writer.on_point({0, 0, {}, {}, {}, list});
      if (role == 3) writer.on_diagonal(0, list, values);
      writer.finish(1, 1);
      EXPECT_EQ(refusal(), ErrorCode::Data) << list[0] << ' ' << role;
    }
  }
  for (const double bound : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    ProofWriter writer(path, data);
    writer.finish(1, bound);
    EXPECT_EQ(refusal(), ErrorCode::Data);
  }
}

TEST_F(ProofFile, lies_that_fit_their_checksum_never_do_harm) {
  std::mt19937_64 rng(1);
  int refused = 0;
  for (int k = 0; k < 800; ++k) {
    std::string changed = bytes;
    const std::size_t header = proof_magic.size() + 1;
    for (int flips = 0; flips < 1 + k % 3; ++flips)
      changed[header + rng() % (changed.size() - 8 - header)] = static_cast<char>(k % 2 == 0 ? 0xff : rng());
    if (k % 5 == 0) changed.erase(header + rng() % (changed.size() - 50), 1 + rng() % 8);
    put(sealed(changed));
    Lines lines;
    try {
      read_proof(path, data, lines);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 250);
}

}  // namespace
}  // namespace ellzero::io::proof
