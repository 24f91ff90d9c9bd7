// The two searches behind every_size.hpp.
#include "exact/every_size.hpp"

namespace ellzero::exact {
namespace {

template <class Fits>
SizeOutcomes finish(SizeSearch<Fits>& search, const Fits& fits) {
  SizeOutcomes out{search.run(), {}};
  for (const SizeRecord& record : out.search.sizes) out.rounding.push_back(fits.rounding(record.best));
  return out;
}

}  // namespace

SizeOutcomes search_sizes(const LeastSquares& system, std::uint64_t in, const SizeLimits& limits) {
  Triangles triangles(system, in);
  SizeSearch search(triangles, limits);
  return finish(search, triangles);
}

SizeOutcomes search_sizes(PenalisedFits& fits, const SizeLimits& limits) {
  SizeSearch search(fits, limits);
  for (const auto& [objective, model] : fits.eliminate()) search.offer(objective, model);
  return finish(search, fits);
}

}  // namespace ellzero::exact
