// LIBSVM text, "label index:value index:value ...", into compressed sparse columns.
#pragma once

#include <string_view>

#include "io/table.hpp"

namespace ellzero::io {

/// Indices start at 1 and rise within a line; what follows a # is a comment; empty lines are skipped. Feature 1 of the
/// file is column 0. Throws Error(Data) with file:line:column for anything else, "qid:" included. One pass and one
/// transposition.
Table read_libsvm(std::string_view file, std::string_view text);

}  // namespace ellzero::io
