// The edit distance behind suggestion.hpp, row by row.
#include "io/suggestion.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "io/letters.hpp"

namespace ellzero::io {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::vector<std::size_t>, 3> rows;  // rows i - 2, i - 1 and i of the table, in turns
  for (auto& row : rows) row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& above2 = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], above2[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 200;  // nobody misspells a name longer than that
  if (word.size() > longest) return "";
  std::size_t nearest = std::max<std::size_t>(1, word.size() / 3) + 1;
  const std::string* best = nullptr;
  for (const std::string& candidate : candidates) {
    if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) >= nearest) continue;
    if (const std::size_t distance = edit_distance(word, candidate); distance < nearest) {
      nearest = distance;
      best = &candidate;
    }
  }
  return best == nullptr ? "" : fmt::format("; did you mean '{}'?", *best);
}

}  // namespace ellzero::io
