// LIBSVM text: what is read, what is refused and where, and that no cut or change of a file does harm.
#include "io/table/libsvm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ellzero/error.hpp"

namespace ellzero::io::table {
namespace {

using Numbers = std::vector<double>;
using Sparse = SparseTable<std::int32_t>;

Sparse matrix(const Table& table) { return std::get<Sparse>(table.X); }

void expect_refused(const std::string& text, const std::string& part) {
  try {
    read_libsvm("f.svm", text);
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Data);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

/// Reads or refuses; what it reads is a sparse matrix with rising rows in every column.
void expect_no_harm(std::string_view text) {
  try {
    const Table table = read_libsvm("f.svm", text);
    const Sparse X = matrix(table);
    ASSERT_EQ(X.indptr.size(), static_cast<std::size_t>(X.cols) + 1);
    ASSERT_EQ(static_cast<std::size_t>(X.indptr.back()), X.indices.size());
    ASSERT_EQ(X.values.size(), X.indices.size());
    ASSERT_EQ(table.y.size(), static_cast<std::size_t>(X.rows));
    for (Index j = 0; j < X.cols; ++j)
      for (std::int32_t k = X.indptr[j]; k < X.indptr[j + 1]; ++k) {
        EXPECT_TRUE(X.indices[k] >= 0 && X.indices[k] < X.rows);
        EXPECT_TRUE(k == X.indptr[j] || X.indices[k] > X.indices[k - 1]);
        EXPECT_TRUE(std::isfinite(X.values[k]));
      }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Data) << error.what();
  }
}

TEST(Libsvm, lines_become_columns) {
  const Table table = read_libsvm("f.svm", "1 1:2 3:-4.5\n-1 2:1e2\n+1 1:7 # a comment 9:9\n");
  const Sparse X = matrix(table);
  EXPECT_EQ(X.rows, 3);
  EXPECT_EQ(X.cols, 3);
  EXPECT_EQ(X.indptr, (std::vector<std::int32_t>{0, 2, 3, 4}));
  EXPECT_EQ(X.indices, (std::vector<std::int32_t>{0, 2, 1, 0}));
  EXPECT_EQ(X.values, (Numbers{2, 7, 100, -4.5}));
  EXPECT_EQ(table.y, (Numbers{1, -1, 1}));
  EXPECT_TRUE(table.names.empty());
  EXPECT_EQ(table.name(2), "x2");
}

TEST(Libsvm, the_ways_of_writing_a_file_do_not_matter) {
  const Sparse plain = matrix(read_libsvm("f.svm", "1 1:2 3:4\n0 2:5\n"));
  for (const std::string text :
       {"1 1:2 3:4\r\n0 2:5\r\n", "1 1:2 3:4\n0 2:5", "\n# head\n  1\t1:2   3:4  \n\n0 2:5#x\n",
        "\xef\xbb\xbf"
        "1 1:2 3:4\n0 2:5\n",
        "1 1:2 2:0 3:4\n0 2:5\n"}) {
    const Sparse X = matrix(read_libsvm("f.svm", text));
    EXPECT_EQ(X.indptr, plain.indptr) << text;
    EXPECT_EQ(X.indices, plain.indices) << text;
    EXPECT_EQ(X.values, plain.values) << text;
  }
}

TEST(Libsvm, indices_in_any_order_are_sorted) {
  const Sparse plain = matrix(read_libsvm("f.svm", "1 1:2 2:7 3:4\n0 2:5\n"));
  for (const std::string text : {"1 3:4 2:7 1:2\n0 2:5\n", "1 2:7 1:2 3:4\n0 2:5\n"}) {
    const Sparse X = matrix(read_libsvm("f.svm", text));
    EXPECT_EQ(X.indptr, plain.indptr) << text;
    EXPECT_EQ(X.indices, plain.indices) << text;
    EXPECT_EQ(X.values, plain.values) << text;
  }
}

TEST(Libsvm, an_index_twice_on_a_line_is_refused_where_it_comes_again) {
  expect_refused("1 1:2\n1 2:1 2:1\n", "f.svm:2:7: feature 2 is on this line already; expected each index once");
  expect_refused("1 3:1 1:2 3:3\n", "f.svm:1:11: feature 3 is on this line already");
  expect_refused("1 1:0 2:1 1:0 # zeros, too\n", "f.svm:1:11: feature 1 is on this line already");
}

TEST(Libsvm, lines_without_entries_are_rows_and_zeros_count_as_features) {
  const Table table = read_libsvm("f.svm", "1\n2 4:0\n3\n");
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.cols(), 4);
  EXPECT_EQ(table.y, (Numbers{1, 2, 3}));
  EXPECT_EQ(read_libsvm("f.svm", "").rows(), 0);
}

TEST(Libsvm, refusals_say_where_and_what) {
  expect_refused("1 1:2\n1 0:2\n", "f.svm:2:3: feature index is 0; expected 1 or above");
  expect_refused("1 -3:2\n", "f.svm:1:3: feature index is -3");
  expect_refused("1 2:1 -2:5\n", "f.svm:1:7: feature index is -2; expected 1 or above");
  expect_refused("1 5:1 0:5\n", "f.svm:1:7: feature index is 0; expected 1 or above");
  expect_refused("1 qid:3 2:5\n", "f.svm:1:3: found 'qid:'");
  expect_refused("a 1:2\n", "f.svm:1:1: found 'a'; expected a number as label");
  expect_refused("1,2 1:2\n", "f.svm:1:1: found '1,2'");
  expect_refused("nan 1:2\n", "found 'nan'");
  expect_refused("1 1:x\n", "f.svm:1:5: found 'x'; expected a finite number as value");
  expect_refused("1 1:\n", "f.svm:1:5: found ''");
  expect_refused("1 1:inf\n", "found 'inf'");
  expect_refused("1 1\n", "f.svm:1:3: found '1'; expected index:value");
  expect_refused("1 1 :2\n", "expected index:value");
  expect_refused("1 1:2:3\n", "found '2:3'");
  expect_refused("1 99999999999999999999:1\n", "below 2^63");
}

TEST(Libsvm, an_index_that_needs_more_memory_than_there_is) {
  expect_refused("1 9000000000000000000:1\n", "expected at most 100000000");
}

TEST(Libsvm, every_cut_is_read_or_refused) {
  const std::string good = "1 1:2 3:-4.5e1 # c\r\n-1 2:1e2\n\n+1 1:7 12:.5";
  for (std::size_t length = 0; length <= good.size(); ++length) {
    // A buffer of just that size lets the address sanitizer see a step too far.
    const std::vector<char> exact(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    expect_no_harm({exact.data(), exact.size()});
  }
}

TEST(Libsvm, every_change_is_read_or_refused) {
  const std::string good = "1 1:2 3:-4.5e1 # c\r\n-1 2:1e2\n\n+1 1:7 12:.5\n";
  const std::string bytes = std::string("\n\r\t #:0123.-+eqid") + '\0' + '\xff';
  std::mt19937 random(4);
  for (int round = 0; round < 20000; ++round) {
    std::string text = good;
    for (int change = 0; change < 1 + round % 4; ++change) {
      const std::size_t at = random() % text.size();
      const char byte = bytes[random() % bytes.size()];
      if (round % 3 == 0) text[at] = byte;
      else if (round % 3 == 1) text.insert(at, 1, byte);
      else text.erase(at, 1 + random() % 3);
      if (text.empty()) break;
    }
    expect_no_harm(text);
  }
}

}  // namespace
}  // namespace ellzero::io::table
