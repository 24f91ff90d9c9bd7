// Missing cells and columns of words: what they become, what is remembered of them, and that it can be applied again.
#include "io/table/encoding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/table/csv.hpp"
#include "io/table/libsvm.hpp"
#include "io/table/missing.hpp"

namespace ellzero::io::table {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

Table read(const std::string& text, const ReadOptions& options) {
  Table table = read_csv("f.csv", text, ',', options);
  treat_missing("f.csv", table, options);
  return table;
}

const Numbers& values(const Table& table) { return std::get<DenseTable>(table.X).values; }

void expect_refused(const std::string& text, const std::string& part, const ReadOptions& options) {
  try {
    read(text, options);
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Data);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Missing, words_that_mean_it) {
  for (const char* word : {"", "?", "NA", "na", "N/A", "NaN", "nan", "NULL", "null"}) EXPECT_TRUE(is_missing(word));
  for (const char* word : {"0", "none", "-", ".", "inf", "n", "nana"}) EXPECT_FALSE(is_missing(word));
}

TEST(Missing, drop_leaves_rows_out_wherever_a_cell_is_missing) {
  const Table table = read("a,w,b,y\n1,1,2,3\n,1,5,6\n7,NA,8,9\n10,1,11,?\n13,1,\"\",15\n16,1,17,18\n",
                           {.weights = "w", .missing = "drop"});
  EXPECT_EQ(values(table), (Numbers{1, 16, 2, 17}));
  EXPECT_EQ(table.y, (Numbers{3, 18}));
  EXPECT_EQ(table.weights, (Numbers{1, 1}));
  EXPECT_NE(table.notes.back().find("4 of 6 rows"), std::string::npos) << table.notes.back();
}

TEST(Missing, mean_is_that_of_rows_that_count_and_is_remembered) {
  const Table table =
      read("a,w,b,target\n1,1,2,3\n,1,5,6\n7,1,nan,9\n100,0,100,100\n", {.weights = "w", .missing = "mean"});
  EXPECT_EQ(values(table), (Numbers{1, 4, 7, 100, 2, 5, 3.5, 100}));
  EXPECT_EQ(table.encoding.means, (Numbers{4, 3.5}));
  EXPECT_NE(table.notes.back().find("2 cells"), std::string::npos);
  expect_refused("a,b,y\n1,2,3\n4,5,\n", "f.csv:3:5: column 'y' is empty", {.missing = "mean"});
  expect_refused("a,b,y\n1,,3\n4,,5\n", "column 'b' has no number", {.missing = "mean"});
  expect_refused("a,b,y\n1,inf,3\n", "holds 'inf'", {.missing = "mean"});
}

TEST(Missing, sparse_rows_and_means_count_zeros) {
  const std::string text = "1 1:2 2:nan\n2 2:3\n3 1:nan 3:1\nnan 1:4\n";
  Table dropped = read_libsvm("f.svm", text, {.missing = "drop"});
  treat_missing("f.svm", dropped, {.missing = "drop"});
  const auto& X = std::get<SparseTable<std::int32_t>>(dropped.X);
  EXPECT_EQ(X.rows, 1);
  EXPECT_EQ(X.indptr, (std::vector<std::int32_t>{0, 0, 1, 1}));
  EXPECT_EQ(X.values, (Numbers{3}));
  EXPECT_EQ(dropped.y, (Numbers{2}));
  Table filled = read_libsvm("f.svm", "1 1:2 2:nan\n2 2:3\n3 1:nan 3:1\n4 1:4\n", {.missing = "mean"});
  treat_missing("f.svm", filled, {.missing = "mean"});
  EXPECT_EQ(std::get<SparseTable<std::int32_t>>(filled.X).values, (Numbers{2, 2, 4, 1, 3, 1}));
  EXPECT_EQ(filled.encoding.means, (Numbers{2, 1, 0.25}));
  EXPECT_THROW(read_libsvm("f.svm", text), Error);
}

const ReadOptions onehot{.categorical = "onehot"};

TEST(Categories, every_level_is_a_feature_in_sorted_order) {
  const Table table = read("color,a,size,y\nred,1,2,3\nblue,4,x,6\n\"red\",7,2,9\n", onehot);
  EXPECT_EQ(table.names, (Names{"color=blue", "color=red", "a", "size=2", "size=x"}));
  EXPECT_EQ(values(table), (Numbers{0, 1, 0, 1, 0, 1, 1, 4, 7, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(table.encoding.categories, (std::vector<Category>{{"color", {"blue", "red"}}, {"size", {"2", "x"}}}));
  EXPECT_TRUE(read("a,b,y\n1,2,3\n4,5,6\n", onehot).encoding.categories.empty());
}

TEST(Categories, are_refused_with_a_hint_unless_asked_for) {
  expect_refused("color,a,y\nred,1,2\n",
                 "f.csv:2:1: column 'color' holds 'red'; expected a finite number (--categorical onehot", {});
  expect_refused("color,a,y\nred,1,2\nblue,1,x\n", "f.csv:3:8: column 'y' holds 'x'", onehot);
  std::string many = "id,y\n";
  for (int i = 0; i <= 1000; ++i) many += fmt::format("w{},1\n", i);
  expect_refused(many, "f.csv:1002:1: column 'id' holds more than 1000 different words", onehot);
  expect_refused("color,a,y\nred,1,2\nblue,1\n", "f.csv:3:7: the line has 2 cells", onehot);
}

TEST(Categories, a_level_is_not_called_like_another_column) {
  expect_refused("a,a=r,b,y\nr,1,2,3\ng,2,3,4\n", "two features are called 'a=r', one of them a level",
                 {.categorical = "onehot"});
  expect_refused("a,b,b,y\nr,1,2,3\ng,2,3,4\n", "columns 2 and 3 are both called 'b'; expected different names",
                 {.categorical = "onehot"});
}

TEST(Categories, missing_words_are_shares_of_levels_or_no_row) {
  const std::string text = "c,y\nu,1\n?,2\nv,3\nu,4\n";
  EXPECT_EQ(values(read(text, {.missing = "drop", .categorical = "onehot"})), (Numbers{1, 0, 1, 0, 1, 0}));
  const Table filled = read(text, {.missing = "mean", .categorical = "onehot"});
  EXPECT_EQ(filled.names, (Names{"c=u", "c=v"}));
  EXPECT_DOUBLE_EQ(values(filled)[1], 2.0 / 3);
  EXPECT_DOUBLE_EQ(values(filled)[5], 1.0 / 3);
}

TEST(Known, means_go_by_place_where_a_file_has_no_names) {
  ReadOptions options{.missing = "mean"};
  options.known = {{"a", "b"}, "", {}, {{"a", 5.0}, {"b", 0.5}}};
  Table table = read_libsvm("f.svm", "1 1:nan 2:1 3:2\n2 2:nan\n", options);
  treat_missing("f.svm", table, options);
  EXPECT_EQ(std::get<SparseTable<std::int32_t>>(table.X).values, (Numbers{5, 1, 0.5, 2}));
}

TEST(Known, the_columns_of_a_model_are_read_as_they_were) {
  ReadOptions options{.missing = "mean"};
  options.known = {{"c", "a"}, "", {{"c", {"u", "v"}}}, {{"a", 5.0}, {"c=u", 0.5}, {"c=v", 0.25}}};
  const Table table = read("junk,a,c\nx y,1,v\n,,u\n\"q,\",3,\n", options);
  EXPECT_EQ(table.names, (Names{"a", "c=u", "c=v"}));
  EXPECT_EQ(values(table), (Numbers{1, 5, 3, 0, 1, 0.5, 1, 0, 0.25}));
  EXPECT_TRUE(table.y.empty());
  expect_refused("a,c\n1,w\n", "f.csv:2:3: column 'c' holds 'w', which was not there", options);
  expect_refused("A,c\n1,u\n", "has no column 'a', which the model uses; did you mean 'A'?", options);
  EXPECT_EQ(read("a,junk,junk,c\n1,1,1,u\n", options).cols(), 3);
  expect_refused("a,a,c\n1,1,u\n", "has several columns 'a'", options);
}

}  // namespace
}  // namespace ellzero::io::table
