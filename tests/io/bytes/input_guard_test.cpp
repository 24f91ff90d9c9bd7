// What cannot be data is refused while it comes in, wherever the pieces are cut; what may be data passes.
#include "io/bytes/input_guard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ellzero/error.hpp"
#include "io/table/heading.hpp"

namespace ellzero::io::bytes {
namespace {

constexpr std::size_t most = 3000000;

/// Repeats `text` behind `head` until it is refused; how far it came, and what was said.
std::size_t refused_at(const std::string& head, const std::string& text, const std::string& format,
                       const std::string& part, std::size_t piece = 65536) {
  InputGuard guard("f", table::heading_of(format));
  std::string all = head;
  while (all.size() < most) all += text;
  std::size_t given = 0;
  try {
    for (; given < all.size(); given += piece) {
      const auto length = std::min(piece, all.size() - given);
      guard.look(std::as_bytes(std::span(all).subspan(given, length)));
    }
    guard.finish();
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Data);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  return given;
}

void expect_accepted(const std::string& text, const std::string& format) {
  for (const std::size_t piece : {1U, 1000U, 65536U, 200000U}) {
    InputGuard guard("f", table::heading_of(format));
    for (std::size_t at = 0; at < text.size(); at += piece)
      guard.look(std::as_bytes(std::span(text).subspan(at, std::min(piece, text.size() - at))));
    EXPECT_NO_THROW(guard.finish());
  }
}

TEST(InputGuard, zero_bytes_are_no_text) {
  const std::string zeros(1000, '\0');
  for (const std::string format : {"", "csv", "tsv", "libsvm"})
    EXPECT_LT(refused_at("", zeros, format, "f:1:1: found a zero byte; expected text"), 65536U);
  for (const std::size_t piece : {7U, 1000U, 65536U}) {
    refused_at("a,b\n1,2\n3,", zeros, "csv", "f:3:3: found a zero byte", piece);
    std::string lines;
    for (int i = 0; i < 100000; ++i) lines += "1,2\n";
    const auto at = refused_at(lines + "12", zeros, "csv", "f:100001:3: found a zero byte", piece);
    EXPECT_LE(at, lines.size() + 65536);
  }
}

TEST(InputGuard, a_format_begins_as_it_should) {
  EXPECT_LT(refused_at("", std::string(1000, '\0'), "npy", "no magic"), 65536U);
  EXPECT_LT(refused_at("", std::string(1000, '\0'), "mtx", "f:1:1: expected a first line that starts with"), 65536U);
  EXPECT_LT(refused_at("\xff\xfe", "1", "csv", "UTF-16"), 65536U);
}

TEST(InputGuard, words_and_blanks_do_not_go_on_for_ever) {
  EXPECT_LT(refused_at("a,b\n1,", "1", "csv", "f:2:", 65536), 1200000U);
  refused_at("", "x", "", "a word of more than 1000000 bytes", 1000);
  for (const std::string blank : {" ", "\n", "\r\n", "\t"})
    EXPECT_LT(refused_at("", blank, "libsvm", "nothing but blanks"), 1200000U);
}

TEST(InputGuard, numpy_data_end_where_their_header_says) {
  std::string header("\x93NUMPY\x01\0v\0", 10);
  header += "{'descr': '<f8', 'fortran_order': False, 'shape': (1000, 100), }";
  header.resize(127, ' ');
  header += '\n';
  const auto at = refused_at(header, std::string(1000, '\0'), "npy", "has more than the 800128 bytes", 1000);
  EXPECT_GE(at, 799000U);
  EXPECT_LE(at, 801000U);
  expect_accepted(header + std::string(800000, '\0'), "npy");
  expect_accepted(header + std::string(800000, '\0'), "");
}

TEST(InputGuard, data_pass) {
  std::string csv = "a,b,y\n", svm, quoted = "a,y\n";
  for (int i = 0; i < 100000; ++i) {
    csv += "1.5,-2e7,3\n";
    svm += "1 1:2 7:3\n";
  }
  quoted += "\"" + std::string(999990, 'w') + "\",1\n";
  expect_accepted(csv, "csv");
  expect_accepted(csv, "");
  expect_accepted(svm, "libsvm");
  expect_accepted(quoted, "csv");
  expect_accepted("", "csv");
  expect_accepted("%%MatrixMarket matrix array real general\n1 1\n1\n", "mtx");
}

TEST(InputGuard, the_first_look_is_for_what_is_longer_than_that) {
  std::size_t looks = 0;
  const auto count = [&](std::string_view head) {
    EXPECT_GE(head.size(), 65536U);
    ++looks;
  };
  const std::string text(100, 'a');
  InputGuard brief("f", {}, count), longer("f", {}, count);
  brief.look(std::as_bytes(std::span(text)));
  brief.finish();
  EXPECT_EQ(looks, 0U);
  for (int i = 0; i < 2000; ++i) longer.look(std::as_bytes(std::span(text)));
  longer.finish();
  EXPECT_EQ(looks, 1U);
}

}  // namespace
}  // namespace ellzero::io::bytes
