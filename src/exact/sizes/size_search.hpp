// The best subset of every size at once: leaps and bounds over subsets that shrink.
//
// A node is a set of features that are in for good and an ordered set of free ones. The least objective over both is a
// lower bound for all its subsets that hold the first, whatever their size (Furnival and Wilson 1974); leaving out d of
// the free ones costs at least what the fits say it does. Those that cost most come first:
//
// 1. child c leaves out free feature c and keeps those before it; what follows stays free
// 2. a child is looked at if, at some size it can reach, its bound is below the best model known of that size
// 3. children with the fewest free features first: they follow backward elimination, and so find good models early
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/dataset.hpp"

namespace ellzero::exact::sizes {

/// Of the constant: no rounding makes models farther apart a tie, or one pair of columns that are all but equal would
/// make all models tie.
inline constexpr double largest_tie = 1e-9;

struct SizeModel {
  double objective = std::numeric_limits<double>::infinity();
  std::uint64_t features = 0;
};

/// What is known about the models of one size, or of no more features where that is better.
struct SizeRecord {
  double best = std::numeric_limits<double>::infinity();
  double unproved = std::numeric_limits<double>::infinity();  ///< a lower bound for what was not looked at
  std::vector<SizeModel> models;                              ///< of this very size, no worse than rounding can tell
};

struct SizeOutcome {
  std::vector<SizeRecord> sizes;  ///< 0 to the largest
  Index nodes = 0;
  std::optional<Status> limit;
};

struct SizeLimits {
  int largest;
  /// By size, the objective above which no model matters; empty: all do. What is left out has no better one.
  std::vector<double> worth = {};
  Index nodes = std::numeric_limits<Index>::max();
  core::Stop* stop;
};

/// `Fits` are levels of subsets that shrink, as triangles.hpp describes them. `free_models`: leading_objectives() tells
/// those of all leading subsets, so that a child need not reach its smallest one.
template <class Fits>
class SizeSearch {
 public:
  SizeSearch(Fits& fits, const SizeLimits& limits)
      : fits_(fits), limits_(limits), cutoff_(static_cast<std::size_t>(limits.largest) + 1, infinity) {
    out_.sizes.resize(cutoff_.size());
    if (!limits_.worth.empty()) cutoff_ = limits_.worth;
  }

  /// A model found elsewhere.
  void offer(double objective, std::uint64_t features) {
    const int size = std::popcount(features);
    if (size > limits_.largest) return;
    SizeRecord& record = out_.sizes[size];
    if (!(objective <= record.best + fits_.tie(record.best))) return;
    const bool known = std::any_of(record.models.begin(), record.models.end(),
                                   [&](const SizeModel& model) { return model.features == features; });
    if (!known) {
      constexpr std::size_t most_models = 8;
      record.models.push_back({objective, features});
      std::sort(record.models.begin(), record.models.end(), [](const SizeModel& a, const SizeModel& b) {
        return a.objective != b.objective ? a.objective < b.objective : a.features < b.features;
      });
      if (record.models.size() > most_models) record.models.pop_back();
    }
    for (std::size_t k = static_cast<std::size_t>(size); k < cutoff_.size() && objective < out_.sizes[k].best; ++k) {
      out_.sizes[k].best = objective;
      set_cutoff(k);
    }
  }

  SizeOutcome run() {
    visit(0);
    return std::move(out_);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  /// Models that tie but for rounding are all looked at, so that X itself can decide; but not without end.
  static constexpr Index most_ties = 100'000;

  /// Work space of one level of the tree.
  struct Frame {
    std::vector<double> objectives, alone, share, cheapest;
  };

  void set_cutoff(std::size_t k) {
    const double best = out_.sizes[k].best, tie = fits_.tie(best);
    const bool ties = ties_ < most_ties && best > tie;  // a perfect fit needs no rival
    cutoff_[k] = best + (ties ? 0.5 : -0.5) * tie;
    if (!limits_.worth.empty()) cutoff_[k] = std::min(cutoff_[k], limits_.worth[k]);
  }

  void offer_models(int level, Frame& frame) {
    std::uint64_t features = fits_.in(level);
    int size = std::popcount(features);
    const auto free = fits_.free(level);
    fits_.leading_objectives(level, frame.objectives);
    for (std::size_t c = 0;; ++c, ++size) {
      if (size <= limits_.largest && frame.objectives[c] < cutoff_[size]) offer(frame.objectives[c], features);
      if (c == free.size()) break;
      features |= std::uint64_t{1} << free[c];
    }
  }

  /// Whether a limit is reached; asks the clock now and then.
  bool ended() {
    if (out_.limit) return true;
    constexpr Index rarely = 256;
    if (out_.nodes >= limits_.nodes) out_.limit = Status::NodeLimit;
    else if (out_.nodes % rarely == 0) {
      if (limits_.stop->now()) out_.limit = limits_.stop->reason();
      else tell();
    }
    return out_.limit.has_value();
  }

  void tell() {
    constexpr double between = 0.1;
    const double seconds = limits_.stop->seconds();
    if (seconds < told_ + between) return;
    told_ = seconds;
    limits_.stop->tell(Progress{.stage = "proof",
                                .seconds = seconds,
                                .objective = out_.sizes.back().best,
                                .lower_bound = fits_.bound(0),
                                .nonzeros = limits_.largest,
                                .nodes = out_.nodes});
  }

  void visit(int level) {
    if (static_cast<std::size_t>(level) >= frames_.size()) frames_.resize(static_cast<std::size_t>(level) + 1);
    ++out_.nodes;
    offer_models(level, frames_[level]);
    leave_own(level);
    if (fits_.free(level).empty()) return;
    fits_.order(level, frames_[level].alone, frames_[level].share);
    offer_models(level, frames_[level]);
    const int in = std::popcount(fits_.in(level));
    const auto count = static_cast<int>(fits_.free(level).size());
    frames_[level].cheapest.clear();
    for (int c = count - 1; c >= 0; --c) {
      Frame& frame = frames_[level];
      const double least = fits_.bound(level) + frame.alone[c];
      if (improvable(frame, fits_.bound(level), c, in, count)) {
        if (ended()) leave(least, in + c, in + count - 1);
        else {
          fits_.drop(level, c);
          visit(level + 1);
        }
      }
      auto& cheapest = frames_[level].cheapest;
      cheapest.insert(std::upper_bound(cheapest.begin(), cheapest.end(), frames_[level].share[c]),
                      frames_[level].share[c]);
    }
  }

  /// Whether child c may hold a better model: of size s it leaves out c and the cheapest of those that follow.
  bool improvable(const Frame& frame, double bound, int c, int in, int count) {
    double shares = frame.share[c];
    const int smallest = in + c + (Fits::free_models ? 1 : 0);
    bool tie = false;
    for (int size = in + count - 1, others = 0; size >= smallest; --size, ++others) {
      if (size <= limits_.largest) {
        const double least = bound + std::max(frame.alone[c], shares);
        if (least < cutoff_[size]) {
          if (least < out_.sizes[size].best) return true;
          tie = true;
        }
      }
      if (size > smallest) shares += frame.cheapest[others];
    }
    if (tie && ++ties_ == most_ties)
      for (std::size_t k = 0; k < cutoff_.size(); ++k) set_cutoff(k);
    return tie;
  }

  /// The node's own model is not looked at again; what its fit could not prove stays open.
  void leave_own(int level) {
    const double objective = frames_[level].objectives.back(), bound = fits_.bound(level);
    const int size = std::popcount(fits_.in(level)) + static_cast<int>(fits_.free(level).size());
    if (size <= limits_.largest && bound < std::min(objective, out_.sizes[size].best) - 0.5 * fits_.tie(objective))
      leave(bound, size, size);
  }

  /// Models of these sizes are left, none of them better than `bound`.
  void leave(double bound, int smallest, int largest) {
    for (int size = smallest; size <= std::min(largest, limits_.largest); ++size)
      out_.sizes[size].unproved = std::min(out_.sizes[size].unproved, bound);
  }

  Fits& fits_;
  SizeLimits limits_;
  std::vector<double> cutoff_;  // by size: what is not below it need not be looked at
  SizeOutcome out_;
  std::vector<Frame> frames_;
  Index ties_ = 0;
  double told_ = 0;
};

}  // namespace ellzero::exact::sizes
