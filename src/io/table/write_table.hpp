// Writes data in any of the formats that can be read; numbers read back exactly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/table/table.hpp"

namespace ellzero::io::table {

/// By the ending of `path`: .csv, .tsv, .svm, .npy, .mtx, each also with .gz or .bz2 behind it. All files are
/// complete, or none is there. CSV and TSV hold all; .npy and .mtx have targets, weights and offset in files beside
/// them, X.target.npy, X.weights.npy, X.offset.npy for X.npy; LIBSVM text has no place for weights and offset. Words as
/// targets become 0 and 1 outside CSV. Returns what the user should know about it. Throws Error(Usage) for an ending
/// that says nothing or data that does not fit the format, Error(Data) for a number that is not finite, which no reader
/// takes, Error(InputOutput) for files that cannot be written.
std::vector<std::string> write_table(const std::string& path, const Table& table);

/// The file beside `path` that takes the numbers of a role: target, weights or offset. "" where `path` itself has them.
std::string file_beside(const std::string& path, std::string_view role);

}  // namespace ellzero::io::table
