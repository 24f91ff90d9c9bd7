// From a fit to a proof: branch and bound from the root relaxation and the incumbent that the engine left.
#pragma once

#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "exact/gram_problem.hpp"
#include "exact/gram_relaxation.hpp"
#include "exact/search.hpp"
#include "exact/subtree.hpp"
#include "exact/sweep_relaxation.hpp"
#include "solve/incumbent.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::exact {

/// Nothing decided but always-in features and columns that can explain nothing.
template <class F, class L>
OpenNode root_node(const problem::Problem<F, L>& problem, const solve::RelaxedOutcome& relaxed) {
  OpenNode root;
  root.bound = relaxed.lower_bound;
  std::vector<Index> alive;
  for (Index j = 0; j < problem.features.cols(); ++j) {
    if (problem.penalty.always_in(j)) root.in.push_back(j);
    else if (problem.features.norm(j) > 0) alive.push_back(j);
  }
  root.alive = std::make_shared<const std::vector<Index>>(std::move(alive));
  for (std::size_t c = 0; c < relaxed.beta.support.size(); ++c)
    root.start.emplace_back(relaxed.beta.support[c], relaxed.beta.values[c]);
  return root;
}

/// Improves `best` where the tree finds something better.
template <class F, class L>
SearchOutcome close_gap(const problem::Problem<F, L>& problem, const solve::RelaxedOutcome& relaxed,
                        solve::Incumbent& best, const SearchLimits& limits, int threads, core::Stop& stop) {
  core::ThreadPool single(1), pool(threads);
  const F features = problem.features.on(single);  // subtrees run side by side, each on one thread
  const problem::Problem<F, L> alone{features,        problem.loss,   problem.penalty,  problem.y,
                                     problem.weights, problem.offset, problem.intercept};
  const auto try_support = [&](std::span<const Index> support) {
    auto found = solve::best_on_support(problem, support, stop);
    if (found.objective < best.objective) best = std::move(found);
    return best.objective;
  };
  const auto tell = [&](const SearchOutcome& now, double objective) {
    stop.tell({"proof", stop.seconds(), objective, now.lower_bound, static_cast<Index>(best.beta.support.size()),
               now.nodes, now.open});
  };
  const auto run = [&](Search::Explore explore) {
    return Search(std::move(explore), limits, pool, stop)
        .run(root_node(problem, relaxed), best.objective, try_support, tell);
  };
  if constexpr (L::quadratic)
    if (!problem.penalty.may_need_scaling()) {
      const auto quadratic = to_quadratic(alone);
      return run([&](const OpenNode& node, const SubtreeGoal& goal) {
        return explore(GramRelaxation(*quadratic, node), node, goal);
      });
    }
  return run([&](const OpenNode& node, const SubtreeGoal& goal) {
    return explore(SweepRelaxation<F, L>(alone, node, stop), node, goal);
  });
}

}  // namespace ellzero::exact
