// Thinning behind course.hpp.
#include "io/model/course.hpp"

#include <cmath>
#include <limits>

namespace ellzero::io::model {
namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Nothing but the time has changed since.
bool repeats(const Moment& later, const Moment& earlier) {
  return same(later.objective, earlier.objective) && same(later.lower_bound, earlier.lower_bound);
}

std::size_t most_crowded(const std::vector<Moment>& moments) {
  constexpr double instant = 1e-3;  // times below are all one
  std::size_t found = 1;
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k + 1 < moments.size(); ++k) {
    const double ratio = (moments[k + 1].seconds + instant) / (moments[k - 1].seconds + instant);
    if (ratio < closest) {
      closest = ratio;
      found = k;
    }
  }
  return found;
}

}  // namespace

void Course::add(const Moment& moment) {
  const std::size_t count = moments_.size();
  // Of a standstill the first moment and the last are enough.
  if (count > 1 && repeats(moment, moments_[count - 1]) && repeats(moments_[count - 1], moments_[count - 2]))
    moments_.back() = moment;
  else moments_.push_back(moment);
  if (moments_.size() > limit) moments_.erase(moments_.begin() + static_cast<std::ptrdiff_t>(most_crowded(moments_)));
}

}  // namespace ellzero::io::model
