// The steps from a fit to a proof.
#include "exact/tree/close_gap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "loss/all.hpp"

namespace ellzero::exact::tree {
namespace {

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
bool much_to_give(const gram::Quadratic& quadratic) {
  double given = 0, there = 0;
  for (Index j = 0; j < quadratic.size(); ++j) {
    given += 2 * quadratic.free(j).lambda2();
    there += quadratic.column(j).norm * quadratic.column(j).norm;
  }
  return given > 0.1 * there;
}

/// Moves curvature where that helps; false if no bound can be had in Gram space.
bool prepare(const problem::Problem<loss::Squared>& problem, const solve::RelaxedOutcome& relaxed, double objective,
             gram::Quadratic& quadratic) {
  if (problem.penalty.may_need_scaling()) return gram::strengthen_all(quadratic);
  // Where the gap is within reach of a feature's price, screening soon leaves few features, and each subtree finds a
  // better diagonal for those.
  constexpr double many_prices = 1.8, share_of_room = 0.6;
  if (objective - relaxed.lower_bound < many_prices * problem.penalty.lambdas().lambda0) return true;
  if (!much_to_give(quadratic)) return true;
  if (!gram::strengthen_root(problem, relaxed.beta, relaxed.tau, share_of_room, quadratic)) return true;
  // It pays only where the root gets clearly tighter: elsewhere it makes more features fractional.
  OpenNode root = root_node(problem, relaxed);
  gram::GramRelaxation relaxation(quadratic, root);
  std::vector<Fix> fixes;
  std::vector<double> b;
  relaxation.begin(fixes, b);
  const double before = relaxed.lower_bound, after = relaxation.solve(fixes, b, {objective, 1e-6 * objective});
  constexpr double least_share = 0.05;
  if (after - before < least_share * (objective - before)) quadratic.move_back();
  return true;
}

/// Features that are in for certain are eliminated, unless they have bounds.
Presolved presolve(const gram::Quadratic& quadratic, const OpenNode& whole, SubtreeGoal goal, double objective) {
  goal.nodes = 0;
  Presolved result{explore(gram::GramRelaxation(quadratic, whole), whole, goal), nullptr, {}};
  if (result.root.open.empty() || goal.cardinality) return result;
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
    result.elimination.signs.push_back(b[j] < 0 ? -1 : 1);
  }
  result.elimination.in = node.in;
  for (const Index j : *node.alive)
    if (decided[j] == 0) result.elimination.rest.push_back(j);
  if (node.in.size() < fewest || result.elimination.rest.size() > most_rest) return result;
  result.reduced =
      gram::eliminate(quadratic, result.elimination, objective, 0.01 * (objective - goal.cutoff), goal.record);
  return result;
}

/// The open node of a presolved problem in the terms of the reduced one.
OpenNode reduced_node(const Presolved& presolved) {
  const OpenNode& node = presolved.root.open[0];
  OpenNode result;
  result.number = node.number;
  result.bound = node.bound;
  result.own_bound = node.own_bound;
  std::vector<Index> alive(presolved.elimination.rest.size());
  std::iota(alive.begin(), alive.end(), Index{0});
  for (const auto& [j, value] : node.start) {
    const auto at = std::lower_bound(presolved.elimination.rest.begin(), presolved.elimination.rest.end(), j);
    if (at != presolved.elimination.rest.end() && *at == j)
      result.start.emplace_back(at - presolved.elimination.rest.begin(), value);
  }
  result.alive = std::make_shared<const std::vector<Index>>(std::move(alive));
  return result;
}

}  // namespace

template <class L>
void BestModel<L>::try_support(std::span<const Index> support, double /*bound*/) {
  auto found = solve::best_on_support(plain_, support, stop_);
  if (found.objective < best_.objective) best_ = std::move(found);
}

void PlacesGoal::try_support(std::span<const Index> places, double bound) {
  std::vector<Index> support = elimination_.in;
  for (const Index k : places) support.push_back(elimination_.rest.empty() ? k : elimination_.rest[k]);
  std::sort(support.begin(), support.end());
  whole_.try_support(support, bound);
}

template <class L>
SearchOutcome GapCloser<L>::run() {
  OpenNode root = root_node(problem_, relaxed_);
  const double allowance =
      limits_.cardinality ? static_cast<double>(limits_.cardinality->k) * limits_.cardinality->price : 0;
  root.bound = root.own_bound = root.bound - allowance * (1 + 4 * core::unit_roundoff);  // (7.2)
  recorder_.start(relaxed_.beta);
  if (!recording_ && !goal_.every_support()) symmetry_ = find_symmetry(alone_, *root.alive);
  constexpr std::size_t most_in_gram = 1000;  // nonzeros: beyond, every node would factorise a large matrix
  if constexpr (L::quadratic)
    if (const auto quadratic = gram::to_quadratic(alone_);
        root.start.size() <= most_in_gram && know_start(*quadratic, root) &&
        prepare(alone_, relaxed_, goal_.objective() + allowance, *quadratic)) {
      if (quadratic->moved()) recorder_.whole_diagonal(*quadratic);
      const auto symmetry = symmetry_;
      const auto found = in_gram_space(*quadratic, root);
      if (!stopped_by_rounding(found)) return found;
      elimination_ = {};
      symmetry_ = symmetry;
      discarded_ = std::numeric_limits<double>::infinity();
      nodes_ = found.nodes;
      auto again = by_sweeps(root);
      again.lower_bound = std::max(again.lower_bound, found.lower_bound);
      return again;
    }
  return by_sweeps(root);
}

template <class L>
SearchOutcome GapCloser<L>::by_sweeps(const OpenNode& root) {
  return search(root, [&](const OpenNode& node, const SubtreeGoal& goal) {
    return explore(SweepRelaxation<L>(alone_, node, stop_), node, goal);
  });
}

template <class L>
bool GapCloser<L>::stopped_by_rounding(const SearchOutcome& found) const {
  constexpr Index small = 2000;
  return !found.limit && found.lower_bound < goal_.cutoff() && found.nodes <= small && !recording_ &&
         !goal_.every_support() && !problem_.penalty.may_need_scaling();
}

template <class L>
bool GapCloser<L>::know_start(const gram::Quadratic& quadratic, const OpenNode& root) const {
  constexpr std::size_t at_once = 64;
  std::vector<Index> features;
  for (std::size_t k = 0; k < root.start.size(); k += at_once) {
    if (stop_.now()) return false;
    features.clear();
    for (std::size_t i = k; i < std::min(k + at_once, root.start.size()); ++i) features.push_back(root.start[i].first);
    quadratic.know(features);
  }
  return true;
}

template <class L>
SearchOutcome GapCloser<L>::in_gram_space(const gram::Quadratic& quadratic, const OpenNode& root) {
  const double cutoff = goal_.cutoff();
  const SubtreeGoal goal{.cutoff = cutoff,
                         .tolerance = 1e-3 * (cutoff - root.bound),
                         .nodes = 0,
                         .later = cutoff,
                         .stop = &stop_,
                         .record = recording_,
                         .cardinality = limits_.cardinality,
                         .symmetry = &symmetry_};
  const auto explorer = [](const gram::Quadratic& q) {
    return [&q](const OpenNode& node, const SubtreeGoal& allowed) {
      return explore(gram::GramRelaxation(q, node), node, allowed);
    };
  };
  if (goal_.every_support() || root.bound >= cutoff) return search(root, explorer(quadratic));
  auto presolved = presolve(quadratic, root, goal, goal_.objective());
  if (recording_) recorder_.take(presolved.root);
  discarded_ = presolved.root.discarded;
  nodes_ = presolved.root.nodes;
  if (presolved.root.open.empty()) {
    SearchOutcome done;
    done.lower_bound = std::min(discarded_, goal_.objective());
    done.nodes = nodes_;
    return done;
  }
  if (presolved.reduced == nullptr) return search(presolved.root.open[0], explorer(quadratic));
  elimination_ = presolved.elimination;
  symmetry_ = among(symmetry_, elimination_.rest);
  if (recording_) {
    recorder_.look_at(presolved.root.open[0]);
    recorder_.reduce(elimination_);
  }
  return search(reduced_node(presolved), explorer(*presolved.reduced));
}

template <class L>
SearchOutcome GapCloser<L>::search(const OpenNode& root, Search::Explore explore) {
  const auto tell = [&](const SearchOutcome& now) {
    stop_.tell(Progress{.stage = "proof",
                        .seconds = stop_.seconds(),
                        .objective = goal_.objective(),
                        .lower_bound = now.lower_bound,
                        .nonzeros = static_cast<Index>(goal_.nonzeros()),
                        .nodes = now.nodes,
                        .open = now.open});
  };
  auto limits = limits_;
  limits.nodes = std::max<Index>(0, limits.nodes - nodes_);
  PlacesGoal goal(goal_, elimination_);
  Search search(std::move(explore), goal, symmetry_.place.empty() ? nullptr : &symmetry_, limits, pool_, stop_,
                recording_ ? &recorder_ : nullptr);
  auto out = search.run(root, tell);
  out.lower_bound = std::min(out.lower_bound, discarded_);
  out.nodes += nodes_;
  return out;
}

template <class L>
SearchOutcome close_gap(const problem::Problem<L>& problem, const problem::Problem<L>& plain,
                        const solve::RelaxedOutcome& relaxed, solve::Incumbent& best, const SearchLimits& limits,
                        int threads, ProofSink* sink, core::Stop& stop) {
  BestModel<L> goal(plain, best, limits.gap, stop);
  return GapCloser(problem, relaxed, goal, limits, threads, sink, stop).run();
}

#define INSTANTIATE(L)                                                                                   \
  template class BestModel<L>;                                                                           \
  template class GapCloser<L>;                                                                           \
  template SearchOutcome close_gap(const problem::Problem<L>& problem, const problem::Problem<L>& plain, \
                                   const solve::RelaxedOutcome& relaxed, solve::Incumbent& best,         \
                                   const SearchLimits& limits, int threads, ProofSink* sink, core::Stop& stop);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::exact::tree
