// Local search for a better incumbent: where to look, and moves that are accepted only when the problem itself agrees.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "solve/candidates.hpp"
#include "solve/incumbent.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::solve {

enum class Effort { Quick, Default, Thorough };

struct SearchSettings {
  Effort effort = Effort::Default;
  std::uint64_t seed = 0;
  Index limit = std::numeric_limits<Index>::max();  ///< of the features that are not always in
  bool proves = true;  ///< false: relaxations are there to guide, as rough as does for that

  /// Searches to run one after the other, each from the best so far.
  [[nodiscard]] std::vector<SearchEffort> stages() const;

  /// How many columns to look at when the relaxation has so many nonzeros. Where the model is made anew after every
  /// success, fewer: more of them cost more and, further from the model's centre, mislead it.
  [[nodiscard]] std::size_t candidates(std::size_t nonzeros, bool quadratic = true) const;
};

/// Features at or beyond half the knee of phi; without a jump there is nothing to round.                          (4.1)
std::vector<Index> rounded(const penalty::Penalty& penalty, const problem::Coefficients& beta);

/// The problem whose relaxation guides the search. Without ridge or bounds a price per feature disappears from the
/// relaxation (4.1), which then says nothing about where to look; a little ridge brings it back. Bounds never come from
/// it.
template <class L>
problem::Problem<L> guiding(const problem::Problem<L>& problem);

/// Those of the incumbent, any others asked for, and up to `count` in all the columns the relaxation likes best.
template <class L>
std::vector<Index> choose_candidates(const problem::Problem<L>& problem, const RelaxedOutcome& relaxed,
                                     std::span<const Index> incumbent, std::span<const Index> extra, std::size_t count);

/// Takes the support if it is really better; "really" leaves room for rounding.
template <class L>
bool try_support(const problem::Problem<L>& problem, std::span<const Index> support, Incumbent& best, core::Stop& stop);

/// One feature leaves (or none, -1) and one enters (or none).
template <class L>
bool try_exchange(const problem::Problem<L>& problem, Index leaves, Index enters, Incumbent& best, core::Stop& stop);

/// Searches in the second-order model at the incumbent. For squared loss without bounds the model is the problem;
/// otherwise what it proposes is verified, and single moves are tried when the proposal fails. Returns the number of
/// models built.
template <class L>
Index local_search(const problem::Problem<L>& problem, Candidates<L>& candidates, const SearchSettings& settings,
                   Incumbent& best, core::Stop& stop);

}  // namespace ellzero::solve
