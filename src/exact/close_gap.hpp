// From a fit to a proof: branch and bound from the root relaxation and the incumbent that the engine left.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "exact/eliminate.hpp"
#include "exact/gram_problem.hpp"
#include "exact/gram_relaxation.hpp"
#include "exact/recorder.hpp"
#include "exact/search.hpp"
#include "exact/subtree.hpp"
#include "exact/sweep_relaxation.hpp"
#include "exact/symmetry.hpp"
#include "solve/incumbent.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::exact {

/// Nothing decided but always-in features and columns that can explain nothing.
template <class L>
OpenNode root_node(const problem::Problem<L>& problem, const solve::RelaxedOutcome& relaxed) {
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

/// Features can give no more than their 2 lambda2: little, where that is small against what H has.
inline bool much_to_give(const Quadratic& quadratic) {
  double given = 0, there = 0;
  for (Index j = 0; j < quadratic.size(); ++j) {
    given += 2 * quadratic.free(j).lambda2();
    there += quadratic.column(j).norm * quadratic.column(j).norm;
  }
  return given > 0.1 * there;
}

/// Moves curvature where that helps; false if no bound can be had in Gram space.
inline bool prepare(const problem::Problem<loss::Squared>& problem, const solve::RelaxedOutcome& relaxed,
                    double objective, Quadratic& quadratic) {
  if (problem.penalty.may_need_scaling()) return strengthen_all(quadratic);
  // Where the gap is within reach of a feature's price, screening soon leaves few features, and each subtree finds a
  // better diagonal for those.
  constexpr double many_prices = 1.8, share_of_room = 0.6;
  if (objective - relaxed.lower_bound < many_prices * problem.penalty.lambdas().lambda0) return true;
  if (!much_to_give(quadratic)) return true;
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

/// What is left of a squared-loss problem once its root has decided what it can.
struct Presolved {
  SubtreeOutcome root;                 ///< with one open node, or none if that was all
  std::unique_ptr<Quadratic> reduced;  ///< without the features that are in, if that is worth it
  Elimination what;
};

/// Features that are in for certain are eliminated, unless they have bounds.
inline Presolved presolve(const Quadratic& quadratic, const OpenNode& whole, SubtreeGoal goal, double objective) {
  goal.nodes = 0;
  Presolved result{explore(GramRelaxation(quadratic, whole), whole, goal), nullptr, {}};
  if (result.root.open.empty() || goal.budget) return result;
  const OpenNode& node = result.root.open[0];
  constexpr std::size_t fewest = 10, most_rest = 2000;
  std::vector<char> decided(static_cast<std::size_t>(quadratic.size()), 0);
  std::vector<double> b(decided.size(), 0.0);
  for (const auto& [j, value] : node.start) b[j] = value;
  for (const auto* list : {&node.in, &node.out})
    for (const Index j : *list) decided[j] = 1;
  for (const Index j : node.in) {
    const auto& g = quadratic.in(j);
    if (std::isfinite(g.reach(1)) || std::isfinite(g.reach(-1))) return result;
    // With lambda1 the sign must be beyond doubt, or the bound suffers: not so for small coefficients.
    const auto& free = quadratic.free(j);
    if (g.lambda1() > 0 && (free.jump() == 0 || std::abs(b[j]) < free.knee(b[j]))) return result;
    result.what.signs.push_back(b[j] < 0 ? -1 : 1);
  }
  result.what.in = node.in;
  for (const Index j : *node.alive)
    if (decided[j] == 0) result.what.rest.push_back(j);
  if (node.in.size() < fewest || result.what.rest.size() > most_rest) return result;
  result.reduced = eliminate(quadratic, result.what, objective, 0.01 * (objective - goal.cutoff), goal.record);
  return result;
}

/// The open node of a presolved problem in the terms of the reduced one.
inline OpenNode reduced_node(const Presolved& presolved) {
  const OpenNode& node = presolved.root.open[0];
  OpenNode result;
  result.number = node.number;
  result.bound = node.bound;
  result.own_bound = node.own_bound;
  std::vector<Index> alive(presolved.what.rest.size());
  std::iota(alive.begin(), alive.end(), Index{0});
  for (const auto& [j, value] : node.start) {
    const auto at = std::lower_bound(presolved.what.rest.begin(), presolved.what.rest.end(), j);
    if (at != presolved.what.rest.end() && *at == j) result.start.emplace_back(at - presolved.what.rest.begin(), value);
  }
  result.alive = std::make_shared<const std::vector<Index>>(std::move(alive));
  return result;
}

/// One solution is sought, as good as the gap asks for.
template <class L>
class BestSought {
 public:
  static constexpr bool every_support = false;

  BestSought(const problem::Problem<L>& plain, solve::Incumbent& best, double gap, core::Stop& stop)
      : plain_(plain), best_(best), gap_(std::max(gap, least_gap)), stop_(stop) {}

  [[nodiscard]] double objective() const { return best_.objective; }
  [[nodiscard]] std::size_t nonzeros() const { return best_.beta.support.size(); }
  [[nodiscard]] double cutoff() const { return objective() - gap_ * std::abs(objective()); }  // the gap is then closed
  void try_support(std::span<const Index> support, double /*bound*/) {
    auto found = solve::best_on_support(plain_, support, stop_);
    if (found.objective < best_.objective) best_ = std::move(found);
  }

 private:
  const problem::Problem<L>& plain_;
  solve::Incumbent& best_;
  double gap_;
  core::Stop& stop_;
};

/// `Sought` keeps what is found, and knows what needs no further look: BestSought, or a Pool.
template <class L, class Sought>
class GapCloser {
 public:
  GapCloser(const problem::Problem<L>& problem, const solve::RelaxedOutcome& relaxed, Sought& sought,
            const SearchLimits& limits, int threads, ProofSink* sink, core::Stop& stop)
      : problem_(problem),
        relaxed_(relaxed),
        sought_(sought),
        limits_(limits),
        pool_(threads),
        features_(problem.features.on(single_)),
        alone_{features_,       problem.loss,   problem.penalty,   problem.y,
               problem.weights, problem.offset, problem.intercept, problem.given},
        recorder_(sink, problem.given.shift),
        recording_(sink != nullptr),
        stop_(stop) {}

  SearchOutcome run() {
    OpenNode root = root_node(problem_, relaxed_);
    const double allowance = limits_.budget ? static_cast<double>(limits_.budget->k) * limits_.budget->price : 0;
    root.bound = root.own_bound = root.bound - allowance * (1 + 4 * core::unit_roundoff);  // (7.2)
    recorder_.start(relaxed_.beta);
    if (!recording_ && !Sought::every_support) symmetry_ = find_symmetry(alone_, *root.alive);
    constexpr std::size_t most_in_gram = 1000;  // nonzeros: beyond, every node would factorise a large matrix
    if constexpr (L::quadratic)
      if (const auto quadratic = to_quadratic(alone_);
          root.start.size() <= most_in_gram && know_start(*quadratic, root) &&
          prepare(alone_, relaxed_, sought_.objective() + allowance, *quadratic)) {
        if (quadratic->moved()) recorder_.whole_diagonal(*quadratic);
        const auto symmetry = symmetry_;
        const auto found = in_gram_space(*quadratic, root);
        if (!stopped_by_rounding(found)) return found;
        what_ = {};
        symmetry_ = symmetry;
        discarded_ = std::numeric_limits<double>::infinity();
        nodes_ = found.nodes;
        auto again = by_sweeps(root);
        again.lower_bound = std::max(again.lower_bound, found.lower_bound);
        return again;
      }
    return by_sweeps(root);
  }

 private:
  SearchOutcome by_sweeps(const OpenNode& root) {
    return search(root, [&](const OpenNode& node, const SubtreeGoal& goal) {
      return explore(SweepRelaxation<L>(alone_, node, stop_), node, goal);
    });
  }

  /// Whether all was seen and yet the gap is open: inner products are rounded at the size of y, which may be far above
  /// that of the objective. Bounds by sweeps are sharper there, and affordable for a small tree.
  [[nodiscard]] bool stopped_by_rounding(const SearchOutcome& found) const {
    constexpr Index small = 2000;
    return !found.limit && found.lower_bound < sought_.cutoff() && found.nodes <= small && !recording_ &&
           !Sought::every_support && !problem_.penalty.may_need_scaling();
  }

  /// The first rows of inner products are the many; false if there is no time for them.
  bool know_start(const Quadratic& quadratic, const OpenNode& root) const {
    constexpr std::size_t at_once = 64;
    std::vector<Index> features;
    for (std::size_t k = 0; k < root.start.size(); k += at_once) {
      if (stop_.now()) return false;
      features.clear();
      for (std::size_t i = k; i < std::min(k + at_once, root.start.size()); ++i)
        features.push_back(root.start[i].first);
      quadratic.know(features);
    }
    return true;
  }

  SearchOutcome in_gram_space(const Quadratic& quadratic, const OpenNode& root) {
    const double cutoff = sought_.cutoff();
    const SubtreeGoal goal{
        cutoff, 1e-3 * (cutoff - root.bound), 0, cutoff, &stop_, recording_, limits_.budget, false, &symmetry_};
    const auto gram = [](const Quadratic& q) {
      return [&q](const OpenNode& node, const SubtreeGoal& allowed) {
        return explore(GramRelaxation(q, node), node, allowed);
      };
    };
    if (Sought::every_support || root.bound >= cutoff) return search(root, gram(quadratic));
    auto presolved = presolve(quadratic, root, goal, sought_.objective());
    if (recording_) recorder_.take(presolved.root);
    discarded_ = presolved.root.discarded;
    nodes_ = presolved.root.nodes;
    if (presolved.root.open.empty()) {
      SearchOutcome done;
      done.lower_bound = std::min(discarded_, sought_.objective());
      done.nodes = nodes_;
      return done;
    }
    if (presolved.reduced == nullptr) return search(presolved.root.open[0], gram(quadratic));
    what_ = presolved.what;
    symmetry_ = among(symmetry_, what_.rest);
    if (recording_) {
      recorder_.look_at(presolved.root.open[0]);
      recorder_.reduce(what_);
    }
    return search(reduced_node(presolved), gram(*presolved.reduced));
  }

  SearchOutcome search(const OpenNode& root, Search::Explore explore) {
    const auto try_support = [&](std::span<const Index> places, double bound) {
      std::vector<Index> support = what_.in;
      for (const Index k : places) support.push_back(what_.rest.empty() ? k : what_.rest[k]);
      std::sort(support.begin(), support.end());
      sought_.try_support(support, bound);
    };
    const auto tell = [&](const SearchOutcome& now) {
      stop_.tell({"proof", stop_.seconds(), sought_.objective(), now.lower_bound,
                  static_cast<Index>(sought_.nonzeros()), now.nodes, now.open});
    };
    auto limits = limits_;
    limits.nodes = std::max<Index>(0, limits.nodes - nodes_);
    Search search(std::move(explore),
                  {[&] { return sought_.objective(); }, [&] { return sought_.cutoff(); }, try_support,
                   Sought::every_support, symmetry_.place.empty() ? nullptr : &symmetry_},
                  limits, pool_, stop_, recording_ ? &recorder_ : nullptr);
    auto out = search.run(root, tell);
    out.lower_bound = std::min(out.lower_bound, discarded_);
    out.nodes += nodes_;
    return out;
  }

  const problem::Problem<L>& problem_;  // at the price of the relaxations
  const solve::RelaxedOutcome& relaxed_;
  Sought& sought_;
  SearchLimits limits_;
  core::ThreadPool single_{1}, pool_;
  const features::View features_;  // subtrees run side by side, each on one thread
  const problem::Problem<L> alone_;
  Recorder recorder_;
  bool recording_;
  core::Stop& stop_;
  double discarded_ = std::numeric_limits<double>::infinity();  // before the search
  Index nodes_ = 0;                                             // before the search
  Elimination what_;
  Symmetry symmetry_;  // of the features that the search is about
};

/// Improves `best` where the tree finds something better. `problem` has the price of `relaxed`; with a budget the
/// objective is that of `plain`, the problem without a price.
template <class L>
SearchOutcome close_gap(const problem::Problem<L>& problem, const problem::Problem<L>& plain,
                        const solve::RelaxedOutcome& relaxed, solve::Incumbent& best, const SearchLimits& limits,
                        int threads, ProofSink* sink, core::Stop& stop) {
  BestSought<L> sought(plain, best, limits.gap, stop);
  return GapCloser(problem, relaxed, sought, limits, threads, sink, stop).run();
}

}  // namespace ellzero::exact
