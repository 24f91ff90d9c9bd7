// fit(): the best subset that can be found quickly, with a lower bound that says how good it is.
#pragma once

#include "ellzero/dataset.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

/// Seconds that fit() spends on the proof of a model that it has chosen, where Settings::time_limit is not set.
inline constexpr double proof_budget = 10;

/// Minimises sum loss + lambda0 |b|_0 + lambda1 |b|_1 + lambda2 |b|^2, or the same under |b|_0 <= k with Settings::k.
/// With neither lambda0 nor k the model is chosen, as choose() does, and then proved; without a time limit the proof is
/// given proof_budget seconds. Throws Error for bad input, before any computing.
Result fit(const Dataset& data, const Settings& settings, Observer* observer = nullptr);

}  // namespace ellzero
