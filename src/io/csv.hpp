// CSV and TSV text with a header line, into dense columns.
#pragma once

#include <string_view>

#include "io/read_options.hpp"
#include "io/table.hpp"

namespace ellzero::io {

/// Cells may be quoted, "" stands for a quote inside quotes, lines end in LF or CRLF, empty lines and a byte order mark
/// are skipped. The target is the column that `options` names, or else the one called "target", or else the last; every
/// column that is not target, weights or offset is a feature.
/// Throws Error(Data) with file:line:column for a cell that is missing or no finite number and for a line with more or
/// fewer cells than the header, and Error(Usage) for a column that does not exist. One pass, after a count of lines.
Table read_csv(std::string_view file, std::string_view text, char separator, const ReadOptions& options);

}  // namespace ellzero::io
