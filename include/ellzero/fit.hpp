// fit(): the best subset that can be found quickly, with a lower bound that says how good it is.
#pragma once

#include "ellzero/dataset.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

/// Minimises sum loss + lambda0 |b|_0 + lambda1 |b|_1 + lambda2 |b|^2, or the same under |b|_0 <= k with Settings::k.
/// One of lambda0 and k must be set. Throws Error for bad input, before any computing.
Result fit(const Dataset& data, const Settings& settings, Observer* observer = nullptr);

}  // namespace ellzero
