// The engine: the best solution it can find in a short time, and a valid lower bound on all solutions.
//
// 1. relaxation: max D by convex optimisation; its solution says where to look                                (4.1)
// 2. round it, and search locally among the most promising columns, coefficients re-optimised in every move
// 3. sweep: a feature outside that would enter by itself joins the candidates, and the search goes on          (5.2)
// 4. unless in a hurry, for squared loss; for others when thorough: no exchange of two features pays either      (5.3)
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "screening/lazy_tau.hpp"
#include "solve/descent.hpp"
#include "solve/local_search.hpp"
#include "solve/relaxed.hpp"
#include "solve/spd.hpp"
#include "solve/swap_certificate.hpp"

namespace ellzero::solve {

struct EngineOutcome {
  Incumbent best;
  RelaxedOutcome bound;
  bool coordinate_optimal = false;
  bool swap_optimal = false;
  Index searches = 0;
};

/// What searches of a problem leave for those at other prices.
struct SearchMemory {
  explicit SearchMemory(const features::View& features) : gram(std::make_shared<FeatureGram>(features)) {}
  explicit SearchMemory(std::shared_ptr<FeatureGram> products) : gram(std::move(products)) {}

  std::shared_ptr<FeatureGram> gram;  ///< of the features, whatever they cost
  /// Supports of which no exchange pays (5.3), with the objective that this was measured by: a feature out and one in
  /// cost what they cost before, whatever the price.
  std::map<std::vector<Index>, double> swap_optimal = {};
  problem::Coefficients guided = {};  ///< where the next relaxation that only guides begins
};

template <class L>
class Engine {
 public:
  Engine(const problem::Problem<L>& problem, const SearchSettings& settings, core::Stop& stop)
      : Engine(problem, settings, stop, screening::LazyTau(problem.features, problem.weights),
               std::make_shared<SearchMemory>(problem.features)) {}

  /// With what is known from elsewhere; more of it is left in `memory`.
  Engine(const problem::Problem<L>& problem, const SearchSettings& settings, core::Stop& stop, screening::LazyTau tau,
         std::shared_ptr<SearchMemory> memory)
      : problem_(problem), search_settings_(settings), stop_(stop), tau_(std::move(tau)), memory_(std::move(memory)) {}

  /// `near`: a relaxed solution to begin with, from the neighbourhood.
  EngineOutcome run(const problem::Coefficients& near = {});

  /// Goes on with what run() returned from a better solution that was found elsewhere.
  void go_on(Incumbent from, EngineOutcome& out);

  /// What is known of tau, for later questions to begin with.
  [[nodiscard]] screening::LazyTau tau() && { return std::move(tau_); }

  /// Whether the relaxation has but this solution, and this is it but for its last digits: wherever a solver began it
  /// ended here. No feature that is left out is at its threshold (4.2), and none that is used at 0 or spanned by
  /// others.
  [[nodiscard]] bool is_the_only_solution(const RelaxedOutcome& bound);

 private:
  /// Searches from a solution, or from the rounded relaxation.
  void search_from(Incumbent* start, EngineOutcome& out);

  /// Whether the relaxation says nothing about where features are, so that another one has to guide.
  [[nodiscard]] bool is_blind() const;

  /// Whether digits of max D cost.
  [[nodiscard]] static bool is_large(const EngineOutcome& out);

  /// How exact a large relaxation's bound is wanted, given an upper bound: digits that the distance of max D from P
  /// (4.4) swallows are left out.
  [[nodiscard]] static double tolerance(const EngineOutcome& out, double upper);

  /// The bound: from a solution near by, if that leads to the very end; else as relax_alone() has it.
  void relax(const problem::Coefficients& near, EngineOutcome& out);

  /// Roughly first, then as exactly as is worth while.
  void relax_alone(EngineOutcome& out);

  /// Descents can get stuck where features are nearly spanned by one another and hardly shrunk. The relaxation at a
  /// higher price is an easier one, and its solution a good place to begin with at the next lower.
  void approach(const RelaxedSettings& settings, EngineOutcome& out);

  /// Whether the last digits of a relaxation are cheap, and every tau is known.
  [[nodiscard]] bool may_be_solved_to_the_end() const { return L::quadratic && !tau_.is_lazy(); }

  /// The search may have come much closer to the bound than rounding had: then more of its digits tell something.
  void refine(EngineOutcome& out);

  /// The relaxation that guides the search where the problem's own says nothing.
  RelaxedOutcome guided(const problem::Problem<L>& guide);

  /// Searches among candidates, lets in what would enter by itself, and searches again, until nothing changes. Where
  /// there are many, a quick search does as long as features enter.
  void search(const SearchSettings& settings, const problem::Problem<L>& guide, const RelaxedOutcome& where,
              EngineOutcome& out);

  void tell(std::string_view stage, const EngineOutcome& out) const;

  [[nodiscard]] bool closed(const EngineOutcome& out) const;

  /// Lets in the feature whose own hard step (5.1) lowers P most, and makes the best such features candidates. If there
  /// are none the incumbent is coordinate-wise optimal (5.2).
  bool enter(EngineOutcome& out, std::size_t most, std::vector<Index>& extra);

  /// The certificate pass over all exchanges (5.3), unless it would take too long; one that pays is made.
  bool exchange(EngineOutcome& out, std::vector<Index>& extra);

  /// Whether another price has shown it already. What pays is measured by the objective, which is to be no smaller now
  /// by much. An always-in feature costs nothing to let in, so that prices matter.
  [[nodiscard]] bool known_as_swap_optimal(const Incumbent& at) const;

  static constexpr double rough = 1e-4;    ///< relative gap of a relaxation that guides
  static constexpr double a_start = 1e-2;  ///< the same where nothing is proved
  static constexpr double stuck = 1e-6;    ///< of one that should have come further

  const problem::Problem<L>& problem_;
  SearchSettings search_settings_;
  core::Stop& stop_;
  screening::LazyTau tau_;
  std::shared_ptr<SearchMemory> memory_;
};

}  // namespace ellzero::solve
