// What somebody probably meant who wrote a name that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ellzero::io {

/// "; did you mean 'target'?" for the candidate nearest to `word` in edit distance (two neighbours exchanged count as
/// one edit, capital letters as the same); "" when none is near.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace ellzero::io
