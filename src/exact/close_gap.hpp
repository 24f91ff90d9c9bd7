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
#include "exact/recorder.hpp"
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
  root.bound = root.own_bound = relaxed.lower_bound;
  root.intercept = relaxed.beta.intercept;
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

/// Moves curvature where that helps; false if no bound can be had in Gram space.
template <class F>
bool prepare(const problem::Problem<F, loss::Squared>& problem, const solve::RelaxedOutcome& relaxed, double objective,
             Quadratic& quadratic) {
  if (problem.penalty.may_need_scaling()) return strengthen_all(quadratic);
  constexpr double share_of_room = 0.6;
  if (!strengthen_root(problem, relaxed.beta, relaxed.tau, share_of_room, quadratic)) return true;
  // It pays only where the root gets clearly tighter: elsewhere it makes more features fractional.
  OpenNode root = root_node(problem, relaxed);
  GramRelaxation relaxation(quadratic, root);
  std::vector<Fix> fixes;
  std::vector<double> b;
  relaxation.begin(fixes, b);
  const double before = relaxed.lower_bound, after = relaxation.solve(fixes, b, {objective, 1e-6 * objective});
  constexpr double least_share = 0.05;
  if (after - before < least_share * (objective - before)) quadratic.move_back();
  return true;
}

/// Improves `best` where the tree finds something better.
template <class F, class L>
SearchOutcome close_gap(const problem::Problem<F, L>& problem, const solve::RelaxedOutcome& relaxed,
                        solve::Incumbent& best, const SearchLimits& limits, int threads, ProofSink* sink,
                        core::Stop& stop) {
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
  Recorder recorder(sink);
  const auto run = [&](Search::Explore explore) {
    return Search(std::move(explore), limits, pool, stop, sink == nullptr ? nullptr : &recorder)
        .run(root_node(problem, relaxed), best.objective, try_support, tell);
  };
  if constexpr (L::quadratic)
    if (const auto quadratic = to_quadratic(alone); prepare(alone, relaxed, best.objective, *quadratic)) {
      if (quadratic->moved()) recorder.whole_diagonal(*quadratic);
      return run([&](const OpenNode& node, const SubtreeGoal& goal) {
        return explore(GramRelaxation(*quadratic, node), node, goal);
      });
    }
  return run([&](const OpenNode& node, const SubtreeGoal& goal) {
    return explore(SweepRelaxation<F, L>(alone, node, stop), node, goal);
  });
}

}  // namespace ellzero::exact
