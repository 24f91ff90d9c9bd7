// Index: rows, columns and counts.
#pragma once

#include <cstdint>

namespace ellzero {

using Index = std::int64_t;

}  // namespace ellzero
