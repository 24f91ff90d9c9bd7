// Opens a data file of any format: by what the user says, else by its ending, else by its first bytes.
#pragma once

#include <string>

#include "io/table/read_options.hpp"
#include "io/table/table.hpp"

namespace ellzero::io::table {

/// `path` ends in .csv, .tsv, .svm, .libsvm, .npy or .mtx, each also with .gz or .bz2 behind it; "-" is stdin. Throws
/// Error(InputOutput) for a file that cannot be read, Error(Data) for content that is broken or without rows or
/// features, Error(Usage) for options that do not fit the format.
Table read_table(const std::string& path, const ReadOptions& options);

/// csv, tsv, libsvm, npy or mtx; "" for an ending that says nothing.
std::string format_by_ending(const std::string& path);

}  // namespace ellzero::io::table
