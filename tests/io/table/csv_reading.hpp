// What the tests of the CSV reader share: reading a text, and expecting its refusal.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ellzero/error.hpp"
#include "io/table/csv.hpp"

namespace ellzero::io::table {

inline Table read(const std::string& text, const ReadOptions& options = {}) {
  return read_csv("f.csv", text, ',', options);
}

inline std::vector<double> values(const Table& table) { return std::get<DenseTable>(table.X).values; }

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

inline void expect_refused(const std::string& text, const std::string& part, const ReadOptions& options = {},
                           ErrorCode code = ErrorCode::Data) {
  try {
    read(text, options);
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace ellzero::io::table
