// every_k(): the exact best subset of each size at once, for squared loss and a few dozen features.
#pragma once

#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

/// One Result for each k from the number of always-in features to settings.k (all features where it is not set): the
/// best of all models with at most k features, proved, unless a limit of time or nodes comes first. lambda0 must not be
/// set. Up to 64 features; time grows fast beyond 40. Throws Error for input that makes no sense.
std::vector<Result> every_k(const Dataset& data, const Settings& settings, Observer* observer = nullptr);

}  // namespace ellzero
