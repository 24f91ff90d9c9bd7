// A moment of a computation in words: the line of a terminal, the row of a table, an object of JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ellzero/observer.hpp"

namespace ellzero::cli {

/// What is known of how far a computation has come.
struct Standing {
  const Progress& progress;
  double seconds = 0;                ///< since the start, which may be later than the progress
  std::optional<double> share = {};  ///< done, from 0 to 1
  unsigned int turns = 0;            ///< of the spinner that stands where no share is known
};

/// Bar or spinner, time, stage, incumbent, bound and gap: as much of it as fits into `width` columns.
std::string progress_line(const Standing& standing, std::size_t width);

/// "  0.2 s   15  3 ..." and what stands above the first one; both as wide as row_width.
inline constexpr std::size_t row_width = 79;
std::string progress_head();
std::string progress_row(const Progress& progress);

/// One object, without end of line; unknown numbers are null.
std::string progress_json(const Progress& progress);

}  // namespace ellzero::cli
