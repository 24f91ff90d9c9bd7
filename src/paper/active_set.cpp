// The steps of active_set.hpp.
#include "paper/active_set.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::paper {

template <class L>
void ActiveSet<L>::add(std::span<const Index> features) {
  std::vector<Index> columns;
  for (const Index j : features) {
    const double norm = problem_.features.norm(j);
    if (norm == 0) continue;
    const Index column = matrix_.cols() + static_cast<Index>(columns.size());
    columns.push_back(j);
    // Gathering rounds every entry twice more than a sweep does.
    const double error = problem_.features.dot_error(j) + 4 * core::unit_roundoff * norm;
    members.push_back({j, column, &problem_.penalty[j], norm * norm / problem_.loss.mu(), error});
  }
  matrix_.append(problem_.features.gather(columns));
}

template <class L>
void ActiveSet<L>::add_column(Index column, double by, std::span<double> u) const {
  matrix_.axpy(column, by, u);
  if (const double shift = by * matrix_.centre(column); shift != 0)
    for (double& ui : u) ui -= shift;
}

template <class L>
problem::Coefficients ActiveSet<L>::coefficients(double intercept) const {
  std::vector<std::pair<Index, double>> used;
  for (const Member& m : members)
    if (m.beta != 0) used.emplace_back(m.feature, m.beta);
  std::sort(used.begin(), used.end());
  problem::Coefficients result{intercept};
  for (const auto& [feature, value] : used) {
    result.support.push_back(feature);
    result.values.push_back(value);
  }
  return result;
}

template <class L>
ActiveSet<L> all_active(const problem::Problem<L>& problem) {
  std::vector<Index> every(static_cast<std::size_t>(problem.features.cols()));
  for (std::size_t j = 0; j < every.size(); ++j) every[j] = static_cast<Index>(j);
  ActiveSet<L> active(problem);
  active.add(every);
  return active;
}

#define INSTANTIATE(L)         \
  template class ActiveSet<L>; \
  template ActiveSet<L> all_active(const problem::Problem<L>& problem);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::paper
