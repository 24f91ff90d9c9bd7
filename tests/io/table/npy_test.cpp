// .npy files are used in place whatever their order and type, and broken ones are refused by name.
#include "io/table/npy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "ellzero/error.hpp"
#include "ellzero/evaluate.hpp"

namespace ellzero::io::table {
namespace {

struct Npy : testing::Test {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ellzero_npy_test_" + std::to_string(::getpid()) + ".npy");
  ~Npy() override { std::filesystem::remove(path); }

  void write_bytes(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }

  template <class T>
  void write(std::string dict, const std::vector<T>& values, char version = 1) const {
    const std::size_t start = version == 1 ? 10 : 12;
    while ((start + dict.size() + 1) % 64 != 0) dict += ' ';
    dict += '\n';
    std::string bytes("\x93NUMPY", 6);
    bytes += version;
    bytes += '\0';
    const auto length = static_cast<std::uint32_t>(dict.size());
    bytes.append(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
    bytes += dict;
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    write_bytes(bytes);
  }

  void expect_refused(const std::string& part) const {
    try {
      const NpyFile file(path);
      ADD_FAILURE() << "accepted; expected: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Data);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
  }
};

template <class T>
T at(const DenseMatrix<T>& X, Index i, Index j) {
  return X.data[i * X.row_stride + j * X.col_stride];
}

TEST_F(Npy, reads_both_orders_types_and_versions) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", values);
  const NpyFile columns(path);
  EXPECT_EQ(at(std::get<DenseMatrix<double>>(columns.matrix()), 1, 2), 6);
  EXPECT_EQ(at(std::get<DenseMatrix<double>>(columns.matrix()), 1, 0), 2);
  write("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", std::vector<float>(values.begin(), values.end()),
        2);
  const NpyFile rows(path);
  EXPECT_EQ(at(std::get<DenseMatrix<float>>(rows.matrix()), 1, 0), 4);
  write("{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }", values, 3);
  const auto vector = std::get<DenseMatrix<double>>(NpyFile(path).matrix());
  EXPECT_EQ(vector.rows, 6);
  EXPECT_EQ(vector.cols, 1);
}

TEST_F(Npy, a_mapped_matrix_is_evaluated_in_place) {
  const std::vector<double> x = {1, 2, 4, 0, 3, 1}, y = {1, 2, 3}, beta = {1, 0};
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }", x);
  const NpyFile file(path);
  Settings settings;
  settings.lambda0 = 0.5;
  const auto mapped = evaluate({std::get<DenseMatrix<double>>(file.matrix()), y}, settings, beta);
  const auto direct = evaluate({column_major(x.data(), 3, 2), y}, settings, beta);
  EXPECT_EQ(mapped.objective, direct.objective);
  EXPECT_EQ(mapped.lower_bound, direct.lower_bound);
}

TEST_F(Npy, a_file_that_is_written_to_is_noticed_and_one_in_its_place_does_no_harm) {
  const std::vector<double> x = {1, 2, 3};
  const auto write_again = [&] {
    write("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 1), }", x);
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  };
  write_again();
  const NpyFile first(path);
  EXPECT_NO_THROW(first.check_unchanged());
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).put('x').flush();
  EXPECT_THROW(first.check_unchanged(), Error);
  write_again();
  NpyFile second(path);
  const NpyFile moved(std::move(second));
  std::filesystem::resize_file(path, 10);
  EXPECT_THROW(moved.check_unchanged(), Error);
  std::filesystem::remove(path);
  write_again();
  const NpyFile third(path);
  std::filesystem::remove(path);
  write_again();
  std::filesystem::resize_file(path, 10);
  EXPECT_NO_THROW(third.check_unchanged());
  EXPECT_EQ(at(std::get<DenseMatrix<double>>(third.matrix()), 2, 0), 3);
}

TEST_F(Npy, refuses_broken_files) {
  const std::vector<double> values = {1, 2, 3, 4};
  write_bytes("");
  expect_refused("no magic");
  write_bytes("hello, this is text");
  expect_refused("no magic");
  write_bytes(std::string("\x93NUMPY\x01\x00\xff\xff{'descr'", 18));
  expect_refused("ends inside its header");
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", values);
  expect_refused("holds 4 numbers; its header promises 2 x 3");
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (4000000000, 4000000000), }", values);
  expect_refused("promises 4000000000 x 4000000000");
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (0, 7766279631452241918), }", values);
  expect_refused("has 0 rows and 7766279631452241918 features; expected at least one of each");
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999999999999, 1), }", values);
  expect_refused("whole numbers");
  write("{'descr': '<i8', 'fortran_order': True, 'shape': (2, 2), }", values);
  expect_refused("holds '<i8'");
  write("{'descr': [('a', '<f8')], 'fortran_order': True, 'shape': (2, 2), }", values);
  expect_refused("expected a plain type");
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2, 2), }", values);
  expect_refused("has 3 dimensions");
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (-2, 2), }", values);
  expect_refused("whole numbers");
  write("{'descr': '<f8', 'fortran_order': True, }", values);
  expect_refused("no 'shape'");
}

TEST_F(Npy, headers_are_as_numpy_writes_them) {
  const std::vector<double> values = {1, 2, 3, 4};
  const auto expect = [&](const std::string& dict, const std::string& part) {
    write(dict, values);
    expect_refused(part);
  };
  for (const std::string order : {"0", "1", "'False'", "None", "true"})
    expect("{'descr': '<f8', 'fortran_order': " + order + ", 'shape': (2, 2), }", "expected True or False");
  expect("{'descr': '<f8', 'fortran_order': Falsehood, 'shape': (2, 2), }", "expected '}'");
  expect("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), 'shape': (1, 4), }", "the key 'shape' twice");
  expect("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}", "the key 'descr' twice");
  expect("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), 'more': 1}", "the key 'more'");
  for (const std::string shape :
       {"(2.0, 2)", "(2, 'a')", "(2 2)", "(, 2)", "(2, 2", "[2, 2]", "4", "(2,, 2)", "(-2, 2)"})
    expect("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }", "whole numbers");
  expect("{'descr': '<f8', 'fortran_order': False, 'shape': (4), }", "a comma behind the one number");
  expect("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), } 'junk'", "''junk'");
  expect("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)", "expected '}'");
  expect("'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", "expected '{'");
  for (const std::string type : {">f8", "<f2", "<c16", "|O", "|S8", "<U2", "<M8[s]", "f8", ""})
    expect("{'descr': '" + type + "', 'fortran_order': False, 'shape': (2, 2), }", "holds '" + type + "'");
  expect("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", "has 8 bytes behind the 3 x 1 numbers");
  for (const char version : {'\0', '\4', '\11'}) {
    write("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", values, version);
    expect_refused("is of version");
  }
  write("{\"descr\": \"<f8\",\"fortran_order\":False,\"shape\":( 2,2 )}", values);  // other programs' spaces and quotes
  EXPECT_EQ(at(std::get<DenseMatrix<double>>(NpyFile(path).matrix()), 1, 0), 3);
}

TEST_F(Npy, every_cut_of_a_good_file_is_refused) {
  write("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }", std::vector<double>{1, 2, 3, 4});
  std::ifstream file(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_bytes(whole.substr(0, length));
    EXPECT_THROW(NpyFile{path}, Error) << length;
  }
}

TEST(NpyMissing, names_the_file) {
  try {
    const NpyFile file("no_such_file.npy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::InputOutput);
    EXPECT_NE(std::string(error.what()).find("no_such_file.npy"), std::string::npos);
  }
}

}  // namespace
}  // namespace ellzero::io::table
