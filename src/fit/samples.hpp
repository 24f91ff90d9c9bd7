// Targets, weights and offset as the solver wants them: checked, complete, rows of weight 0 dropped, and near 0.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ellzero/dataset.hpp"

namespace ellzero::front {

struct Samples {
  std::vector<double> y;
  std::vector<double> weights;
  std::vector<double> offset;
  std::vector<Index> kept;  ///< the rows of positive weight; empty when that is all of them
};

/// What a loss expects of the targets, without its type.
struct TargetRule {
  bool (*is_target)(double y);
  std::string_view expected;
  bool classifies;
};

/// Throws Error(Data) naming the argument, row and value of the first thing wrong.
Samples check_samples(const Dataset& data, const TargetRule& rule);

/// Those of these rows.
Samples some_of(const Samples& samples, std::span<const Index> rows);

/// The same problem with targets or offset near 0, each number rounded once.                                  (10.8)
struct NearZero {
  std::vector<double> y;
  std::vector<double> offset;
  double shift = 0;  ///< what an intercept of this problem is short of, rounded
};

/// `quadratic` targets take the offset in; other losses have the offset moved, where an intercept makes up for it.
NearZero move_near_zero(const Samples& samples, bool quadratic, bool intercept);

}  // namespace ellzero::front
