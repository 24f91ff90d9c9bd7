// Every format that is written is read back as the same numbers, names and targets, packed or not.
#include "io/table/write_table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/table/csv.hpp"
#include "io/table/data_file.hpp"
#include "io/table/libsvm.hpp"

namespace ellzero::io::table {
namespace {

using Numbers = std::vector<double>;

struct WriteTable : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ellzero_write_test_" + std::to_string(::getpid()));
  WriteTable() { std::filesystem::create_directory(folder); }
  ~WriteTable() override { std::filesystem::remove_all(folder); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder / name).string(); }
};

/// Any matrix as dense numbers, column by column.
Numbers numbers(const Table& table) {
  Numbers result(static_cast<std::size_t>(table.rows() * table.cols()));
  const auto fill = [&]<class X>(const X& matrix) {
    if constexpr (requires { matrix.indptr; }) {
      for (Index j = 0; j < matrix.cols; ++j)
        for (auto e = matrix.indptr[j]; e < matrix.indptr[j + 1]; ++e)
          result[j * matrix.rows + matrix.indices[e]] = static_cast<double>(matrix.values[e]);
    } else if constexpr (requires { matrix.data; }) {
      for (Index j = 0; j < matrix.cols; ++j)
        for (Index i = 0; i < matrix.rows; ++i)
          result[j * matrix.rows + i] = static_cast<double>(matrix.data[i * matrix.row_stride + j * matrix.col_stride]);
    }
  };
  std::visit(fill, table.matrix());
  return result;
}

/// Numbers of every magnitude, many of them 0, the last column too.
Table some_table(bool sparse) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  constexpr Index rows = 70, cols = 5;
  std::string text;
  for (Index i = 0; i < rows; ++i) {
    text += fmt::format("{}", normal(random));
    for (Index j = 1; j < cols; ++j)
      if (random() % 3 != 0)
        text += fmt::format(" {}:{}", j, normal(random) * std::pow(10.0, double(random() % 400) - 200));
    text += i == 0 ? fmt::format(" {}:0\n", cols) : "\n";
  }
  Table table = read_libsvm("f.svm", text);
  if (sparse) return table;
  table.X.emplace<DenseTable>(DenseTable{rows, cols, numbers(table)});
  return table;
}

TEST_F(WriteTable, numbers_read_back_exactly_from_every_format) {
  for (const bool sparse : {false, true})
    for (const char* const ending : {".csv", ".tsv", ".svm", ".npy", ".mtx"})
      for (const char* const packed : {"", ".gz", ".bz2"}) {
        const Table table = some_table(sparse);
        const std::string file = path(std::string("d") + ending + packed);
        write_table(file, table);
        ReadOptions options;
        const std::string kind = ending;
        if (kind == ".npy" || kind == ".mtx") options.target = path("d.target" + kind + packed);
        const Table again = read_table(file, options);
        EXPECT_EQ(again.y, table.y) << file;
        EXPECT_EQ(numbers(again), numbers(table)) << file;
        EXPECT_EQ(again.cols(), table.cols()) << file;
      }
}

TEST_F(WriteTable, names_words_weights_and_offset_come_along) {
  const std::string text = "\"a,\"\"b\"\"\", c,w,o,\"t \"\n1,2,3,4,no\n5,6,7,8,yes\n";
  const ReadOptions options{.target = "t ", .weights = "w", .offset = "o", .words = true};
  const Table table = read_csv("f.csv", text, ',', options);
  EXPECT_TRUE(write_table(path("d.csv"), table).empty());
  const Table again = read_table(path("d.csv"), options);
  EXPECT_EQ(again.names, table.names);
  EXPECT_EQ(again.classes, table.classes);
  EXPECT_EQ(again.y, table.y);
  EXPECT_EQ(again.weights, table.weights);
  EXPECT_EQ(again.offset, table.offset);
  EXPECT_EQ(write_table(path("d.npy"), table).size(), 5U);  // the words, three files, and the names that are lost
  const Table arrays =
      read_table(path("d.npy"),
                 {.target = path("d.target.npy"), .weights = path("d.weights.npy"), .offset = path("d.offset.npy")});
  EXPECT_EQ(arrays.weights, table.weights);
  EXPECT_EQ(arrays.offset, table.offset);
  EXPECT_EQ(arrays.y, table.y);
  EXPECT_THROW(write_table(path("d.svm"), table), Error);
  EXPECT_FALSE(std::filesystem::exists(path("d.svm")));
  EXPECT_THROW(write_table(path("d.txt"), table), Error);
}

TEST_F(WriteTable, columns_that_come_from_files_get_names_and_are_noted) {
  Table table = some_table(false);
  table.weights = table.offset = std::vector<double>(static_cast<std::size_t>(table.rows()), 2.0);
  const auto notes = write_table(path("d.csv"), table);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0], "weights: in column 'weights'");
  EXPECT_EQ(read_table(path("d.csv"), {.weights = "weights", .offset = "offset"}).weights, table.weights);
}

TEST_F(WriteTable, a_column_called_weights_beside_the_weights_keeps_its_name) {
  const ReadOptions options{.weights = "w"};
  const Table table = read_csv("f.csv", "weights,w,offset,target\n1,2,3,4\n5,6,7,8\n", ',', options);
  write_table(path("d.csv"), table);
  const Table again = read_table(path("d.csv"), options);
  EXPECT_EQ(again.names, (std::vector<std::string>{"weights", "offset"}));
  EXPECT_EQ(again.weights, table.weights);
}

TEST_F(WriteTable, numbers_that_no_reader_takes_are_not_written) {
  constexpr double bad[] = {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()};
  const auto expect_refused = [&](const Table& table, const std::string& part) {
    for (const char* ending : {"csv", "svm", "npy", "mtx"}) try {
        write_table(path(std::string("bad.") + ending), table);
        ADD_FAILURE() << "written: " << part;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::Data);
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        EXPECT_FALSE(std::filesystem::exists(path(std::string("bad.") + ending)));
      }
  };
  for (const double value : bad) {
    Table table = some_table(false);
    auto& X = std::get<DenseTable>(table.X);
    const double old = std::exchange(X.values[static_cast<std::size_t>(X.rows) + 1], value);
    expect_refused(table, fmt::format("X: row 1, column 1 is {}; expected a finite number", value));
    X.values[static_cast<std::size_t>(X.rows) + 1] = old;
    table.y[1] = value;
    expect_refused(table, fmt::format("target: row 1 is {}", value));
    Table sparse = some_table(true);
    auto& S = std::get<SparseTable<std::int32_t>>(sparse.X);
    const auto last = static_cast<std::size_t>(S.indptr[1]);  // of column 1, or of one behind it
    S.values[last] = value;
    const auto column = std::upper_bound(S.indptr.begin(), S.indptr.end(), S.indptr[1]) - S.indptr.begin() - 1;
    expect_refused(sparse, fmt::format("X: row {}, column {} is {}", S.indices[last], column, value));
  }
}

TEST_F(WriteTable, targets_may_be_one_number_on_each_line) {
  const Table table = some_table(false);
  write_table(path("d.npy"), table);
  std::ofstream lines(path("y.txt"));
  for (const double y : table.y) lines << fmt::format(" {}\r\n\n", y);
  lines.close();
  EXPECT_EQ(read_table(path("d.npy"), {.target = path("y.txt")}).y, table.y);
  std::ofstream(path("y.txt")) << "1\n2 3\n";
  try {
    read_table(path("d.npy"), {.target = path("y.txt")});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("y.txt:2:1: found '2 3'; expected one number"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ellzero::io::table
