// The first line of CSV text: names or data, two columns of one name, and what stands between the cells.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "io/table/csv_reading.hpp"

namespace ellzero::io::table {
namespace {

TEST(CsvHeader, headers_that_are_none) {
  expect_refused("", "is empty");
  expect_refused("\n\n", "is empty");
  expect_refused(",a,y\n0,1,2\n", "f.csv:1:1: column 1 has no name");
  expect_refused("a|b|y\n1|2|3\n", "f.csv:1:1: the first line has one column, 'a|b|y'");
  expect_refused("a|b|y\n1|2|3\n", "separated by ',', not '|'");
}

TEST(CsvHeader, a_first_line_of_numbers_is_not_taken_for_names) {
  for (const std::string first : {"1.5,2,3", "0,1,2", "1,2,3", "\"1\",\"2\",\"3\"", " -1e5 , inf,\"+2\"",
                                  "1990,1991,1992", "1.5,NA,3", "1.5,,3"}) {
    for (const std::string rest : {"\n4,5,6\n", "\n", ""})
      expect_refused(first + rest, "f.csv:1:1: the first line holds only numbers");
    expect_refused("\n\n" + first + "\n4,5,6\n", "f.csv:3:1: the first line holds only numbers");
  }
  expect_refused("7,8\n1,2\n",
                 "like 7; expected column names (--no-header reads it as data, --header takes the numbers "
                 "as names, or put a line in front of it: x0,target)");
  expect_refused("1,2,3,4,5,6,7,8,9\n", "x0,x1,...,x7,target)");
  EXPECT_EQ(read("1,b,3\n4,5,6\n").names, (Names{"1", "b"}));  // one word makes names of all
  const Table years = read("1990,1991,1992\n4,5,6\n", {.header = "yes"});
  EXPECT_EQ(years.names, (Names{"1990", "1991"}));
  EXPECT_EQ(years.target_name, "1992");
  EXPECT_EQ(years.rows(), 1);
}

TEST(CsvHeader, without_a_header_columns_go_by_position) {
  const std::string text = "1,2,3\n\"4\",5,6\n";
  const Table last = read(text, {.header = "no"});
  EXPECT_EQ(last.names, (Names{"x0", "x1"}));
  EXPECT_EQ(values(last), (Numbers{1, 4, 2, 5}));
  EXPECT_EQ(last.y, (Numbers{3, 6}));
  for (const std::string target : {"x0", "0"}) {
    const Table first = read(text, {.target = target, .weights = "2", .header = "no"});
    EXPECT_EQ(first.names, (Names{"x1"}));
    EXPECT_EQ(first.y, (Numbers{1, 4}));
    EXPECT_EQ(first.weights, (Numbers{3, 6}));
  }
  EXPECT_EQ(read(text, {.header = "", .model_header = "no"}).rows(), 2);
  EXPECT_EQ(read(text, {.header = "yes", .model_header = "no"}).rows(), 1);
  expect_refused(text, "target: f.csv has no column 'x3'", {.target = "3", .header = "no"}, ErrorCode::Usage);
  expect_refused("a,b\n1,2\n",
                 "f.csv:1:1: column 'x0' holds 'a'; expected a finite number (--header takes the first line",
                 {.header = "no"});
  expect_refused("1,2\n3\n", "f.csv:2:2: the line has 1 cells; the first line has 2", {.header = "no"});
  expect_refused("", "is empty", {.header = "no"});
  const Table gaps = read("1,,3\n4,5,6\n", {.missing = "drop", .header = "no"});
  EXPECT_TRUE(std::isnan(values(gaps)[2]));
}

TEST(CsvHeader, a_model_without_names_takes_files_of_its_width) {
  const ReadOptions options{
      .header = "no",
      .known = ReadOptions::Known{.columns = {"x1"}, .offset = "", .categories = {}, .means = {}, .widths = {3, 2}}};
  EXPECT_EQ(values(read("1,2,3\n4,5,6\n", options)), (Numbers{2, 5}));
  EXPECT_EQ(values(read("1,2\n4,5\n", options)), (Numbers{2, 5}));
  expect_refused("1,2,3,4\n", "has 4 columns and no header; the model was fitted to 3", options);
}

TEST(CsvHeader, two_columns_of_one_name_are_refused) {
  expect_refused("a,b,a,y\n1,2,3,4\n", "f.csv:1:1: columns 1 and 3 are both called 'a'; expected different names");
  expect_refused("a,y,b,y\n1,2,3,4\n", "columns 2 and 4 are both called 'y'");
  expect_refused("target,b,target\n1,2,3\n", "columns 1 and 3 are both called 'target'");
  expect_refused("a,b,y,y\n1,2,3,4\n", "columns 3 and 4 are both called 'y'", {.target = "y"});
  expect_refused("a, a ,y\n1,2,3\n", "columns 1 and 2 are both called 'a'");
  expect_refused("a,\" a\",y\n1,2,3\n",
                 "columns 1 and 2 are called 'a' and ' a'; expected names that differ in more than");
  EXPECT_EQ(read("a,A,y\n1,2,3\n").names, (Names{"a", "A"}));
}

TEST(CsvHeader, semicolons_are_recognised) {
  const Table table = read("\"a,b\";c;y\n1;2;3\n4;5;6\n");
  EXPECT_EQ(table.names, (Names{"a,b", "c"}));
  EXPECT_EQ(values(table), (Numbers{1, 4, 2, 5}));
  ASSERT_FALSE(table.notes.empty());
  EXPECT_EQ(table.notes[0], "separator: ';', as the first line has no ','");
  EXPECT_EQ(read("a;b,c,y\n1,2,3\n").names, (Names{"a;b", "c"}));
  EXPECT_EQ(read("1;2;3\n4;5;6\n", {.header = "no"}).rows(), 2);
  expect_refused("1;2;3\n4;5;6\n", "put a line in front of it: x0;x1;target)");
  expect_refused("a;b;y\n1,5;2;3\n",
                 "f.csv:2:1: column 'a' holds '1,5'; expected a finite number (with a decimal point");
}

}  // namespace
}  // namespace ellzero::io::table
