// From a fit to a proof: branch and bound from the root relaxation and the incumbent that the engine left.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "exact/gram/eliminate.hpp"
#include "exact/gram/gram_problem.hpp"
#include "exact/gram/gram_relaxation.hpp"
#include "exact/tree/recorder.hpp"
#include "exact/tree/search.hpp"
#include "exact/tree/subtree.hpp"
#include "exact/tree/sweep_relaxation.hpp"
#include "exact/tree/symmetry.hpp"
#include "solve/incumbent.hpp"
#include "solve/relaxed.hpp"

namespace ellzero::exact::tree {

/// What is left of a squared-loss problem once its root has decided what it can.
struct Presolved {
  SubtreeOutcome root;                       ///< with one open node, or none if that was all
  std::unique_ptr<gram::Quadratic> reduced;  ///< without the features that are in, if that is worth it
  gram::Elimination elimination;
};

/// One solution is sought, as good as the gap asks for.
template <class L>
class BestModel final : public Goal {
 public:
  BestModel(const problem::Problem<L>& plain, solve::Incumbent& best, double gap, core::Stop& stop)
      : plain_(plain), best_(best), gap_(std::max(gap, least_gap)), stop_(stop) {}

  [[nodiscard]] double objective() const override { return best_.objective; }
  [[nodiscard]] std::size_t nonzeros() const override { return best_.beta.support.size(); }
  /// The gap is then closed.
  [[nodiscard]] double cutoff() const override { return objective() - gap_ * std::abs(objective()); }
  [[nodiscard]] bool every_support() const override { return false; }
  void try_support(std::span<const Index> support, double /*bound*/) override;

 private:
  const problem::Problem<L>& plain_;
  solve::Incumbent& best_;
  double gap_;
  core::Stop& stop_;
};

/// The goal of a search that knows features by their places among the rest, some being decided for good.
class PlacesGoal final : public Goal {
 public:
  PlacesGoal(Goal& whole, const gram::Elimination& elimination) : whole_(whole), elimination_(elimination) {}

  [[nodiscard]] double objective() const override { return whole_.objective(); }
  [[nodiscard]] std::size_t nonzeros() const override { return whole_.nonzeros(); }
  [[nodiscard]] double cutoff() const override { return whole_.cutoff(); }
  [[nodiscard]] bool every_support() const override { return whole_.every_support(); }
  void try_support(std::span<const Index> places, double bound) override;

 private:
  Goal& whole_;
  const gram::Elimination& elimination_;
};

template <class L>
class GapCloser {
 public:
  GapCloser(const problem::Problem<L>& problem, const solve::RelaxedOutcome& relaxed, Goal& goal,
            const SearchLimits& limits, int threads, ProofSink* sink, core::Stop& stop)
      : problem_(problem),
        relaxed_(relaxed),
        goal_(goal),
        limits_(limits),
        pool_(threads),
        features_(problem.features.on(single_)),
        alone_{features_,       problem.loss,   problem.penalty,   problem.y,
               problem.weights, problem.offset, problem.intercept, problem.given},
        recorder_(sink, problem.given.shift),
        recording_(sink != nullptr),
        stop_(stop) {}

  SearchOutcome run();

 private:
  SearchOutcome by_sweeps(const OpenNode& root);

  /// Whether all was seen and yet the gap is open: inner products are rounded at the size of y, which may be far above
  /// that of the objective. Bounds by sweeps are sharper there, and affordable for a small tree.
  [[nodiscard]] bool stopped_by_rounding(const SearchOutcome& found) const;

  /// The first rows of inner products are the many; false if there is no time for them.
  bool know_start(const gram::Quadratic& quadratic, const OpenNode& root) const;

  SearchOutcome in_gram_space(const gram::Quadratic& quadratic, const OpenNode& root);

  SearchOutcome search(const OpenNode& root, Search::Explore explore);

  const problem::Problem<L>& problem_;  // at the price of the relaxations
  const solve::RelaxedOutcome& relaxed_;
  Goal& goal_;
  SearchLimits limits_;
  core::ThreadPool single_{1}, pool_;
  const features::View features_;  // subtrees run side by side, each on one thread
  const problem::Problem<L> alone_;
  Recorder recorder_;
  bool recording_;
  core::Stop& stop_;
  double discarded_ = std::numeric_limits<double>::infinity();  // before the search
  Index nodes_ = 0;                                             // before the search
  gram::Elimination elimination_;
  Symmetry symmetry_;  // of the features that the search is about
};

/// Improves `best` where the tree finds something better. `problem` has the price of `relaxed`; with a cardinality
/// the objective is that of `plain`, the problem without a price.
template <class L>
SearchOutcome close_gap(const problem::Problem<L>& problem, const problem::Problem<L>& plain,
                        const solve::RelaxedOutcome& relaxed, solve::Incumbent& best, const SearchLimits& limits,
                        int threads, ProofSink* sink, core::Stop& stop);

}  // namespace ellzero::exact::tree
