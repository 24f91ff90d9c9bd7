// CSV and TSV: what is read, what is refused and where, and that no cut or change of a file does harm.
#include "io/table/csv.hpp"

#include <bzlib.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "ellzero/error.hpp"
#include "io/bytes/decompress.hpp"
#include "io/table/csv_reading.hpp"
#include "io/table/data_file.hpp"

namespace ellzero::io::table {
namespace {

/// Reads or refuses; whatever it reads is whole.
void expect_no_harm(const std::string& text, const ReadOptions& options) {
  try {
    const Table table = read(text, options);
    const auto n = static_cast<std::size_t>(table.rows());
    EXPECT_EQ(table.y.size(), n);
    EXPECT_EQ(values(table).size(), n * table.names.size());
    for (const double v : values(table)) EXPECT_TRUE(std::isfinite(v));
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::Data || error.code() == ErrorCode::Usage) << error.what();
  }
}

TEST(Csv, columns_come_out_in_order_and_the_target_is_found) {
  const Table last = read("a,b,y\n1,2,3\n4,5,6\n");
  EXPECT_EQ(last.names, (Names{"a", "b"}));
  EXPECT_EQ(values(last), (Numbers{1, 4, 2, 5}));
  EXPECT_EQ(last.y, (Numbers{3, 6}));
  EXPECT_EQ(last.rows(), 2);
  ASSERT_EQ(last.notes.size(), 1U);
  EXPECT_NE(last.notes[0].find("'y'"), std::string::npos);

  const Table called = read("target,b,c\n1,2,3\n4,5,6\n");
  EXPECT_EQ(called.names, (Names{"b", "c"}));
  EXPECT_EQ(called.y, (Numbers{1, 4}));
  EXPECT_TRUE(called.notes.empty());

  const Table chosen = read("target,b,c\n1,2,3\n", {.target = "b"});
  EXPECT_EQ(chosen.names, (Names{"target", "c"}));
  EXPECT_EQ(chosen.y, (Numbers{2}));
}

TEST(Csv, weights_and_offset_are_no_features) {
  const Table table = read("w,a,o,y\n1,2,3,4\n5,6,7,8\n", {.weights = "w", .offset = "o"});
  EXPECT_EQ(table.names, (Names{"a"}));
  EXPECT_EQ(values(table), (Numbers{2, 6}));
  EXPECT_EQ(table.weights, (Numbers{1, 5}));
  EXPECT_EQ(table.offset, (Numbers{3, 7}));
  EXPECT_EQ(table.y, (Numbers{4, 8}));
}

TEST(Csv, the_ways_of_writing_a_file_do_not_matter) {
  const Table plain = read("a,\"b,c\",y\n1,-2.5,3\n0.5,1e3,6\n");
  for (const std::string text : {
           "a,\"b,c\",y\r\n1,-2.5,3\r\n0.5,1e3,6\r\n",  // CRLF
           "a,\"b,c\",y\n1,-2.5,3\n0.5,1e3,6",          // no last line end
           "\xef\xbb\xbf"
           "a,\"b,c\",y\n1,-2.5,3\n0.5,1e3,6\n",                        // byte order mark
           "\na,\"b,c\",y\n\n1,-2.5,3\n\r\n0.5,1e3,6\n\n\n",            // empty lines
           " a , \"b,c\" , y \n 1 ,  -2.5,3  \n0.5, 1e3 ,6\n",          // spaces
           "\"a\",\"b,c\",\"y\"\n\"1\",\"-2.5\",\"3\"\n0.5,1000,+6\n",  // quotes, plus
       }) {
    const Table table = read(text);
    EXPECT_EQ(table.names, plain.names) << text;
    EXPECT_EQ(values(table), values(plain)) << text;
    EXPECT_EQ(table.y, plain.y) << text;
  }
  const Table tabs = read_csv("f.tsv", "a\tb,c\ty\n1\t-2.5\t3\n0.5\t1e3\t6\n", '\t', {});
  EXPECT_EQ(tabs.names, plain.names);
  EXPECT_EQ(values(tabs), values(plain));
  EXPECT_EQ(read("\"say \"\"a\"\"\",\"two\nlines\",y\n1,2,3\n").names, (Names{"say \"a\"", "two\nlines"}));
}

TEST(Csv, more_rows_than_a_block_and_every_number_exactly) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const std::size_t n = 333;
  Numbers a(n), b(n), y(n);
  std::string text = "a,b,y\n";
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = normal(random) * 1e-200;
    b[i] = normal(random) * 1e200;
    y[i] = normal(random);
    char line[200];
    std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g\n%s", a[i], b[i], y[i], i % 7 == 0 ? "\n" : "");
    text += line;
  }
  const Table table = read(text);
  Numbers both = a;
  both.insert(both.end(), b.begin(), b.end());
  EXPECT_EQ(values(table), both);
  EXPECT_EQ(table.y, y);
}

TEST(Csv, refusals_say_where_and_what) {
  expect_refused("a,b,y\n1,2,3\n4,x,6\n", "f.csv:3:3: column 'b' holds 'x'; expected a finite number");
  expect_refused("a,b,y\n1,,3\n", "f.csv:2:3: column 'b' is empty");
  expect_refused("a,b,y\n1,2,\n", "f.csv:2:5: column 'y' is empty");
  expect_refused("a,b,y\n1,\"\",3\n", "f.csv:2:3: column 'b' is empty");
  expect_refused("a,b,y\n1,nan,3\n", "f.csv:2:3: column 'b' holds 'nan'");
  expect_refused("a,b,y\n1,-inf,3\n", "holds '-inf'");
  expect_refused("a,b,y\n1,1e999,3\n", "holds '1e999'");
  expect_refused("a,b,y\n1,2 3,3\n", "holds '2 3'");
  expect_refused("a,b,y\n1,+-2,3\n", "holds '+-2'");
  expect_refused("a,b,y\n1,0x10,3\n", "holds '0x10'");
  expect_refused("a,b,y\n1,2\n", "f.csv:2:4: the line has 2 cells; the header has 3");
  expect_refused("a,b,y\n1,2,3,4\n", "f.csv:2:6: the line has more cells than the header, 3");
  expect_refused("a,b,y\n1,\"2,3\n", "f.csv:2:3: the quote that opens here is never closed");
  expect_refused("a,b,y\n1,\"2\"x,3\n", "f.csv:2:6: text after a closing quote");
  expect_refused("\"a\nb\",c,y\n1,2,3\n1,z,3\n", "f.csv:4:3: column 'c' holds 'z'");
  expect_refused("a,b,y\n1,2,3\n\n\r\n1,\x01,3\n", "f.csv:5:3: column 'b' holds '\\x01'");
}

TEST(Csv, column_names_that_do_not_exist) {
  const auto usage = ErrorCode::Usage;
  expect_refused("a,b,target\n1,2,3\n", "target: f.csv has no column 'tagret'; did you mean 'target'?",
                 {.target = "tagret"}, usage);
  expect_refused("a,b,y\n1,2,3\n", "weights: f.csv has no column 'nothing like it'", {.weights = "nothing like it"},
                 usage);
  expect_refused("a,b,y\n1,2,3\n", "expected different ones", {.target = "b", .weights = "b"}, usage);
}

TEST(Csv, two_words_as_targets_only_where_allowed) {
  const Table table = read("a,y\n1,no\n2,yes\n3,\"no\"\n", {.words = true});
  EXPECT_EQ(table.classes, (Names{"no", "yes"}));
  EXPECT_EQ(table.y, (Numbers{0, 1, 0}));
  EXPECT_TRUE(read("a,y\n1,0\n2,1\n", {.words = true}).classes.empty());
  expect_refused("a,y\n1,no\n2,yes\n",
                 "f.csv:2:3: column 'y' holds 'no'; expected a finite number (--loss logistic takes");
  expect_refused("a,y\n1,no\n2,yes\n3,maybe\n", "f.csv:4:3: column 'y' holds 'maybe' besides 'no' and 'yes'",
                 {.words = true});
  expect_refused("a,y\n1,no\n2,\n", "f.csv:3:3: column 'y' is empty", {.words = true});
}

TEST(Csv, one_word_makes_words_of_all_targets) {
  for (const char* const text : {"a,y\n1,1\n2,yes\n3,yes\n4,1\n", "a,y\n1,1\n2,1\n3,1\n4,yes\n", "a,y\n1,yes\n2,1\n"}) {
    const Table table = read(text, {.words = true});
    EXPECT_EQ(table.classes.size(), 2U);
    const bool number_first = table.classes[0] == "1";
    EXPECT_EQ(table.classes[number_first ? 1 : 0], "yes");
    for (const double y : table.y) EXPECT_TRUE(y == 0 || y == 1);
  }
  EXPECT_EQ(read("a,y\n1,1\n2,yes\n3,yes\n4,1\n", {.words = true}).y, (Numbers{0, 1, 1, 0}));
  std::string many = "a,y\n";  // more rows than are read at a time
  for (int i = 0; i < 200; ++i) many += "1,7\n";
  const Table table = read(many + "1,yes\n", {.words = true});
  EXPECT_EQ(std::count(table.y.begin(), table.y.end(), 0.0), 200);
  EXPECT_EQ(table.y.back(), 1);
  EXPECT_EQ(read("a,y\n1,1\n2,\n3,yes\n", {.words = true, .missing = "drop"}).classes, (Names{"1", "yes"}));
  expect_refused("a,y\n1,0\n2,1\n3,yes\n", "f.csv:4:3: column 'y' holds 'yes' besides '0' and '1'; expected numbers or",
                 {.words = true});
}

TEST(Csv, a_header_and_many_empty_lines_ask_for_little_memory) {
  std::string text = "y";
  for (int j = 0; j < 100000; ++j) text += ",c" + std::to_string(j);
  text += std::string(1000000, '\n');
  EXPECT_EQ(read(text, {.target = "y"}).rows(), 0);
}

const std::string good = "id,\"b \"\"q\"\"\",w,target\r\n1,-2.5e1,1,a\n\n\"3\", 4 ,0.5,\"b\"\n5,6,2,a";

TEST(Csv, every_cut_is_read_or_refused) {
  const ReadOptions options{.weights = "w", .words = true};
  EXPECT_EQ(read(good, options).rows(), 3);
  for (std::size_t length = 0; length <= good.size(); ++length) {
    // A buffer of just that size lets the address sanitizer see a step too far.
    const std::vector<char> exact(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    expect_no_harm(std::string(exact.begin(), exact.end()), options);
    try {
      read_csv("f.csv", std::string_view(exact.data(), exact.size()), ',', options);
    } catch (const Error&) {
      continue;
    }
  }
}

TEST(Csv, every_change_is_read_or_refused) {
  std::mt19937 random(2);
  const std::string bytes = std::string("\"\n\r,0.-+e x\t;") + '\0' + '\xff';
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
    expect_no_harm(text, {.words = round % 2 == 0});
  }
}

struct Packed : testing::Test {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ellzero_csv_test_" + std::to_string(::getpid()) + ".csv");
  ~Packed() override { std::filesystem::remove(path); }

  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }

  static std::string gzip(std::string text) {
    z_stream z{};
    deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(text.size() + 1000, '\0');
    z.next_in = reinterpret_cast<Bytef*>(text.data());
    z.avail_in = static_cast<uInt>(text.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
  }
  static std::string bzip2(std::string text) {
    std::string out(text.size() + 1000, '\0');
    auto size = static_cast<unsigned>(out.size());
    BZ2_bzBuffToBuffCompress(out.data(), &size, text.data(), static_cast<unsigned>(text.size()), 9, 0, 0);
    out.resize(size);
    return out;
  }
};

TEST_F(Packed, gzip_and_bzip2_are_read_as_plain_text) {
  const std::string text = "a,b,y\n1,2,3\n4,5,6\n";
  const std::string head = text.substr(0, 9), tail = text.substr(9);
  for (const std::string& bytes : {text, gzip(text), bzip2(text), gzip(head) + gzip(tail), bzip2(head) + bzip2(tail),
                                   gzip(text) + std::string(100, '\0')}) {
    write(bytes);
    const Table table = read_table(path.string(), {});
    EXPECT_EQ(values(table), (Numbers{1, 4, 2, 5}));
    EXPECT_EQ(table.y, (Numbers{3, 6}));
  }
}

TEST_F(Packed, every_cut_of_a_packed_file_is_refused_by_name) {
  for (const std::string& bytes : {gzip("a,b,y\n1,2,3\n4,5,6\n"), bzip2("a,b,y\n1,2,3\n4,5,6\n")})
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      write(bytes.substr(0, length));
      try {
        read_table(path.string(), {});
        ADD_FAILURE() << "accepted at " << length;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::Data);
        EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
      }
    }
}

TEST_F(Packed, changed_packed_files_are_read_or_refused) {
  std::mt19937 random(3);
  for (const std::string& bytes : {gzip("a,b,y\n1,2,3\n4,5,6\n"), bzip2("a,b,y\n1,2,3\n4,5,6\n")})
    for (int round = 0; round < 500; ++round) {
      std::string changed = bytes;
      changed[random() % changed.size()] = static_cast<char>(random() % 256);
      write(changed);
      try {
        EXPECT_EQ(read_table(path.string(), {}).rows(), 2);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::Data) << error.what();
      }
    }
}

TEST_F(Packed, the_format_is_found_without_an_ending) {
  const auto bare = std::filesystem::path(path).replace_extension();
  const auto rows = [&](const std::string& text, const std::string& format = "") {
    std::ofstream(bare, std::ios::binary) << text;
    return read_table(bare.string(), {.format = format}).rows();
  };
  EXPECT_EQ(rows("a,b,y\n1,2,3\n"), 1);
  EXPECT_EQ(rows("a\tb\ty\n1\t2\t3\n4\t5\t6\n"), 2);
  EXPECT_EQ(rows("a;b;y\n1;2;3\n"), 1);
  EXPECT_EQ(rows("# a comment\n1 1:2 5:3\n-1 2:4\n1\n"), 3);
  EXPECT_EQ(rows("1\n1 2:3\n", "libsvm"), 2);
  EXPECT_THROW(rows("hello"), Error);
  EXPECT_THROW(rows(""), Error);
  EXPECT_THROW(rows("a,b,y\n"), Error);  // no rows
  std::filesystem::remove(bare);
}

TEST(DataFile, a_missing_file_is_an_input_error) {
  try {
    read_table("no_such_file.csv", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::InputOutput);
    EXPECT_NE(std::string(error.what()).find("no_such_file.csv"), std::string::npos);
  }
}

}  // namespace
}  // namespace ellzero::io::table
