// pool(): every support within a margin of the best one, complete and proved.
#pragma once

#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"

namespace ellzero {

struct PoolSettings {
  double margin = 0.01;  ///< relative: supports are listed up to objective + margin |objective| of the best
  Index size = 100;      ///< the best so many, if more are within the margin
};

struct Pool {
  /// In order of their objectives, each the best coefficients of its support; the first is what prove() looks for. The
  /// lower bound of a model is one for all supports but those listed before it, so a closed gap proves its rank.
  std::vector<Result> models;
  Status status = Status::Optimal;  ///< Optimal: all gaps are closed, and the list is complete or `cut`
  bool complete = false;            ///< every support within the margin is listed
  bool cut = false;                 ///< PoolSettings::size left out others within the margin
  double beyond = 0;                ///< no support that is not listed has an objective below this
};

/// Supports whose best coefficients are 0 somewhere are the smaller support and not listed again. Time, node and memory
/// limits end the search early: `beyond` then says what is certain. Throws Error for input that makes no sense.
Pool pool(const Dataset& data, const Settings& settings, const PoolSettings& range, Observer* observer = nullptr);

}  // namespace ellzero
