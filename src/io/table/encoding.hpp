// How the cells of a file became numbers, so that a later file can be read in the same way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ellzero::io::table {

/// A column of words: one feature for each level, named column=level, 1 where the cell is that word and 0 elsewhere.
struct Category {
  std::string column;
  std::vector<std::string> levels;  ///< sorted
  friend bool operator==(const Category&, const Category&) = default;
};

/// All levels are kept, none is a baseline: which of them matters is what the selection is to find out, and it takes
/// one feature to say that a level differs from all others only if that level has its own. That their sum is constant
/// does no harm to it, as a subset of them is not collinear.
struct Encoding {
  std::vector<Category> categories;  ///< in the order of the file
  std::vector<double> means;         ///< of every feature, over the rows that count; empty where none are filled in
  friend bool operator==(const Encoding&, const Encoding&) = default;
};

/// "color=red"
inline std::string level_name(const Category& category, std::string_view level) {
  return category.column + "=" + std::string(level);
}

/// A cell that says that nothing is known: empty, ?, or in capital or small letters NA, N/A, NaN, null. Infinity is a
/// wrong number and not a missing one; "none" is a word that categories use.
bool is_missing(std::string_view cell);

}  // namespace ellzero::io::table
