// CSV and TSV text, with or without a header line, into dense columns.
#pragma once

#include <string_view>

#include "io/bytes/release.hpp"
#include "io/table/read_options.hpp"
#include "io/table/table.hpp"

namespace ellzero::io::table {

/// Cells may be quoted, "" stands for a quote inside quotes, lines end in LF or CRLF, empty lines and a byte order mark
/// are skipped. The target is the column that `options` names, or else the one called "target", or else the last; every
/// column that is not target, weights or offset is a feature. A missing cell is nan where `options` does not refuse it.
/// Throws Error(Data) with file:line:column for a cell that is no finite number and for a line with more or fewer cells
/// than the header, and Error(Usage) for a column that does not exist. One pass, after a count of lines and, where
/// words are allowed, the search for them.
Table read_csv(std::string_view file, std::string_view text, char separator, const ReadOptions& options,
               const bytes::Release& release = {});

}  // namespace ellzero::io::table
