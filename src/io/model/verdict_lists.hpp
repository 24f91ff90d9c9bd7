// The verdict on every feature as lists: most are in no optimum and only counted, so a model takes no more memory than
// its file.
#pragma once

#include <algorithm>
#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/status.hpp"

namespace ellzero::io::model {

struct VerdictLists {
  std::vector<Index> always;     ///< in every optimum, ascending
  std::vector<Index> undecided;  ///< ascending
  Index never = 0;               ///< how many are in none: all others

  VerdictLists() = default;
  explicit VerdictLists(const std::vector<Verdict>& verdicts) {
    for (std::size_t j = 0; j < verdicts.size(); ++j) {
      if (verdicts[j] == Verdict::Never) ++never;
      else (verdicts[j] == Verdict::Always ? always : undecided).push_back(static_cast<Index>(j));
    }
  }

  [[nodiscard]] Verdict of(Index j) const {
    if (std::binary_search(always.begin(), always.end(), j)) return Verdict::Always;
    return std::binary_search(undecided.begin(), undecided.end(), j) ? Verdict::Undecided : Verdict::Never;
  }
  friend bool operator==(const VerdictLists&, const VerdictLists&) = default;
};

}  // namespace ellzero::io::model
