// MatrixMarket text: every kind that is read, what is refused and where, and that no cut or change of a file does harm.
#include "io/table/matrix_market.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ellzero/error.hpp"

namespace ellzero::io::table {
namespace {

using Numbers = std::vector<double>;
using Sparse = SparseTable<std::int32_t>;

const std::string start = "%%MatrixMarket matrix ";

Table read(const std::string& text) { return read_matrix_market("f.mtx", start + text); }

/// Any matrix as dense numbers, column by column.
Numbers numbers(const Table& table) {
  if (const auto* dense = std::get_if<DenseTable>(&table.X)) return dense->values;
  const auto& X = std::get<Sparse>(table.X);
  Numbers result(static_cast<std::size_t>(X.rows * X.cols));
  for (Index j = 0; j < X.cols; ++j)
    for (std::int32_t e = X.indptr[j]; e < X.indptr[j + 1]; ++e) result[j * X.rows + X.indices[e]] = X.values[e];
  return result;
}

void expect_refused(const std::string& text, const std::string& part) {
  try {
    read(text);
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Data);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(MatrixMarket, coordinates_in_any_order_become_sorted_columns) {
  const Table table = read("coordinate real general\n% a comment\n\n3 2 4\n3 1 -1\n1 1 2.5\n2 2 1e2\n3 1 4\n");
  const auto& X = std::get<Sparse>(table.X);
  EXPECT_EQ(X.indptr, (std::vector<std::int32_t>{0, 2, 3}));
  EXPECT_EQ(X.indices, (std::vector<std::int32_t>{0, 2, 1}));
  EXPECT_EQ(X.values, (Numbers{2.5, 3, 100}));
  EXPECT_EQ(table.rows(), 3);
}

TEST(MatrixMarket, every_kind_of_field_and_symmetry) {
  EXPECT_EQ(numbers(read("array real general\n2 3\n1\n2\n3\n4\n5\n6\n")), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(numbers(read("array integer symmetric\n2 2\n1 2 3\n")), (Numbers{1, 2, 2, 3}));
  EXPECT_EQ(numbers(read("array real skew-symmetric\n2 2\n7\n")), (Numbers{0, 7, -7, 0}));
  EXPECT_EQ(numbers(read("COORDINATE Pattern General\r\n2 2 2\r\n1 2\r\n2 1\r\n")), (Numbers{0, 1, 1, 0}));
  EXPECT_EQ(numbers(read("coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 3\n")), (Numbers{5, 3, 3, 0}));
  EXPECT_EQ(numbers(read("coordinate real skew-symmetric\n2 2 1\n2 1 3\n")), (Numbers{0, 3, -3, 0}));
  EXPECT_EQ(numbers(read("coordinate real general\n2 2 0\n")), (Numbers{0, 0, 0, 0}));
}

TEST(MatrixMarket, a_symmetric_file_holds_one_half) {
  expect_refused("coordinate real symmetric\n2 2 2\n2 1 3\n1 2 3\n",
                 "f.mtx:4:3: found '2'; expected a column on or below the diagonal of a symmetric matrix, 1 to 1");
  expect_refused("coordinate pattern symmetric\n3 3 1\n2 3\n", "f.mtx:3:3: found '3'; expected a column on or below");
  expect_refused("coordinate real skew-symmetric\n3 3 1\n2 2 0\n",
                 "f.mtx:3:3: found '2'; expected a column below the diagonal of a skew-symmetric matrix, 1 to 1");
  expect_refused("coordinate real skew-symmetric\n3 3 1\n2 3 5\n", "f.mtx:3:3: found '3'; expected a column below");
  expect_refused("coordinate real skew-symmetric\n3 3 1\n1 1 5\n", "f.mtx:3:1: found '1'; expected a row below");
}

TEST(MatrixMarket, entries_at_one_place_are_told_of) {
  EXPECT_TRUE(read("coordinate real general\n2 2 2\n1 1 1\n2 1 1\n").notes.empty());
  const Table table = read("coordinate real general\n3 2 6\n3 2 1\n2 1 4\n3 2 4\n2 1 -1\n1 1 1\n3 2 1\n");
  EXPECT_EQ(numbers(table), (Numbers{1, 3, 0, 0, 0, 6}));
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_EQ(table.notes[0], "f.mtx: several entries at row 2, column 1 and at 1 more places; they are added up");
}

TEST(MatrixMarket, vectors_are_one_column_or_one_row) {
  const auto vector = [](const std::string& text) { return read_matrix_market_vector("f.mtx", start + text); };
  EXPECT_EQ(vector("array real general\n3 1\n1\n2\n3\n"), (Numbers{1, 2, 3}));
  EXPECT_EQ(vector("array real general\n1 3\n1\n2\n3\n"), (Numbers{1, 2, 3}));
  EXPECT_EQ(vector("coordinate real general\n3 1 1\n2 1 7\n"), (Numbers{0, 7, 0}));
  EXPECT_EQ(vector("coordinate real general\n1 3 1\n1 3 7\n"), (Numbers{0, 0, 7}));
  EXPECT_THROW(vector("array real general\n2 2\n1\n2\n3\n4\n"), Error);
  EXPECT_THROW(vector("coordinate real general\n3 1 2\n2 1 7\n2 1 7\n"), Error);  // a target has one value
}

TEST(MatrixMarket, refusals_say_where_and_what) {
  EXPECT_THROW(read_matrix_market("f.mtx", "1 2 3\n"), Error);
  expect_refused("coordinate complex general\n1 1 1\n1 1 1 0\n", "f.mtx:1:34: found 'complex'; expected real, integer");
  expect_refused("vector real general\n", "expected coordinate or array");
  expect_refused("array pattern general\n1 1\n", "an array has no pattern");
  expect_refused("coordinate real hermitian\n1 1 0\n", "expected general, symmetric or skew-symmetric");
  expect_refused("coordinate real symmetric\n2 3 0\n", "2 x 3 is not symmetric");
  expect_refused("coordinate real general\n2 2 1\n3 1 5\n", "f.mtx:3:1: found '3'; expected a row, 1 to 2");
  expect_refused("coordinate real general\n2 2 1\n1 0 5\n", "f.mtx:3:3: found '0'; expected a column, 1 to 2");
  expect_refused("coordinate real general\n2 2 1\n1 1 x\n", "f.mtx:3:5: found 'x'; expected a finite number");
  expect_refused("coordinate real general\n2 2 1\n1 1 nan\n", "found 'nan'");
  expect_refused("coordinate real general\n2 2 1\n1 1 5\n2 2 5\n", "f.mtx:4:1: found '2' after all 1 entries");
  expect_refused("coordinate real general\n2 2 2\n1 1 500\n", "found ''; expected a row");
  expect_refused("array real general\n2 1\n1.5\n", "f.mtx:4:1: found ''; expected a finite number");
  expect_refused("coordinate real general\n2 2 2\n1 1 1e308\n1 1 1e308\n",
                 "row 1: the values of feature 1 add up to inf");
}

TEST(MatrixMarket, sizes_that_lie_allocate_nothing) {
  expect_refused("coordinate real general\n2 2 4000000000000\n1 1 5\n", "promises 2 x 2 with 4000000000000 entries");
  expect_refused("array real general\n4000000000 4000000000\n1\n", "entries; the");
  expect_refused("array real general\n4000000 4000000\n1\n", "entries; the");
  expect_refused("coordinate real general\n2 4000000000000000 0\n", "GB of memory");
  expect_refused("coordinate real general\n4000000000000000 2 0\n", "GB of memory");
  expect_refused("coordinate real general\n9223372036854775807 2 0\n", "expected the number of rows");
}

TEST(MatrixMarket, every_cut_and_change_is_read_or_refused) {
  const std::string good = "coordinate real symmetric\n% c\n3 3 3\n1 1 2.5\n3 2 -1e0\n3 3 4\n";
  const std::string bytes = std::string("\n\r\t %0123456789.-+e") + '\0' + '\xff';
  std::mt19937 random(5);
  for (std::size_t length = 0; length <= good.size(); ++length) {
    const std::string cut = start + good.substr(0, length);
    const std::vector<char> exact(cut.begin(), cut.end());  // of just that size, for the address sanitizer
    try {
      read_matrix_market("f.mtx", {exact.data(), exact.size()});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Data);
    }
  }
  for (int round = 0; round < 20000; ++round) {
    std::string text = good;
    for (int change = 0; change < 1 + round % 4 && !text.empty(); ++change) {
      const std::size_t at = random() % text.size();
      const char byte = bytes[random() % bytes.size()];
      if (round % 3 == 0) text[at] = byte;
      else if (round % 3 == 1) text.insert(at, 1, byte);
      else text.erase(at, 1 + random() % 3);
    }
    try {
      const Table table = read(text);
      EXPECT_EQ(static_cast<Index>(numbers(table).size()), table.rows() * table.cols());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Data);
    }
  }
}

}  // namespace
}  // namespace ellzero::io::table
