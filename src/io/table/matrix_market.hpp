// MatrixMarket text (.mtx): coordinate into sparse columns, array into dense ones.
#pragma once

#include <string_view>
#include <vector>

#include "io/bytes/release.hpp"
#include "io/table/read_options.hpp"
#include "io/table/table.hpp"

namespace ellzero::io::table {

bool is_matrix_market(std::string_view text);
/// Throws Error(Data) unless it is.
void require_matrix_market(std::string_view file, std::string_view text);

/// Fields real, integer and pattern (all entries 1), general, symmetric or skew-symmetric; entries in any order, those
/// of the same place are added up. Sizes are compared with the length of the text before anything is allocated. Only X
/// is set. Entries may be nan where `options` does not refuse what is missing. Throws Error(Data) with
/// file:line:column.
Table read_matrix_market(std::string_view file, std::string_view text, const ReadOptions& options = {},
                         const bytes::Release& release = {});

/// A matrix of one column or one row. nan is left to the caller. Throws Error(Data) as above.
std::vector<double> read_matrix_market_vector(std::string_view file, std::string_view text);

}  // namespace ellzero::io::table
