// LIBSVM text, "label index:value index:value ...", into compressed sparse columns.
#pragma once

#include <string_view>

#include "io/bytes/release.hpp"
#include "io/table/read_options.hpp"
#include "io/table/table.hpp"

namespace ellzero::io::table {

/// Indices start at 1; what follows a # is a comment; empty lines are skipped. Feature 1 of the file is column 0.
/// Values and labels may be nan only where `options` does not refuse what is missing. Throws Error(Data) with
/// file:line:column for anything else, "qid:" included. Two passes, so that the entries are held once. An
/// index beyond a hundred million, and beyond a thousand for each entry that the text has room for, is refused, unless
/// the text is not the whole of its file.
Table read_libsvm(std::string_view file, std::string_view text, const ReadOptions& options = {},
                  const bytes::Release& release = {}, bool is_whole = true);

}  // namespace ellzero::io::table
