// What the columns of a CSV file are: their names, their roles, and the levels of those that hold words.
#pragma once

#include <string>
#include <vector>

#include "io/bytes/release.hpp"
#include "io/table/csv_cells.hpp"
#include "io/table/encoding.hpp"
#include "io/table/read_options.hpp"

namespace ellzero::io::table {

enum class CsvRole { Feature, Target, Weights, Offset, Folds, Ignored };

struct CsvHeader {
  bool named = true;  ///< false: the file has no line of names, and its columns are called x0, x1, ...
  std::vector<std::string> names;
  std::vector<CsvRole> roles;
};

/// Reads the first line and moves behind it, unless that is data already. Throws Error(Data) for a header that is none,
/// for two columns of one name and for columns that a model needs and the file lacks, Error(Usage) for columns that the
/// user names and that are not there.
CsvHeader read_csv_header(CsvCells& cells, char separator, const ReadOptions& options, std::vector<std::string>& notes);

/// The columns of features that hold a word anywhere, with all their words, sorted. Two more passes over the text.
/// Throws Error(Data) for a column of more than 1000 different words.
std::vector<Category> find_categories(const CsvCells& cells, const CsvHeader& header, const bytes::Release& release);

}  // namespace ellzero::io::table
