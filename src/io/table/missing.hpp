// What becomes of missing numbers once a file has been read: rows that have some are left out, or means fill them in.
#pragma once

#include <string_view>

#include "io/table/read_options.hpp"
#include "io/table/table.hpp"

namespace ellzero::io::table {

/// Missing numbers of the table are nan. drop: rows with one, in features, target, weights or offset, are left out.
/// mean: those of features become the mean of their column over the rows of positive weight, or that of
/// `options.known`; the means are kept in the table's encoding. refuse: nothing is done. Adds a note that counts them.
/// Throws Error(Data) for a column without any number.
void treat_missing(std::string_view file, Table& table, const ReadOptions& options);

}  // namespace ellzero::io::table
